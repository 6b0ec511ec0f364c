package io.penstock.core.object.s3;

import io.penstock.testing.ScriptedHttp;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringReader;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;

/**
 * A directory bucket of S3 Express One Zone as its documentation describes it, in memory: sessions, no tags, listings
 * in no order, prefixes that end in a slash, no start-after, ETags that are no checksums. Threads may share it.
 */
final class FakeDirectoryBucket implements SdkHttpClient {
    private static final int PAGE_MAX = 7;

    private record Stored(byte[] body, String eTag, Instant modified) {}

    /** In the order of the keys read backwards: an order, so that a listing can go on, but not that of the keys. */
    private final TreeMap<String, Stored> objects = new TreeMap<>(Comparator.comparing(
            (String key) -> new StringBuilder(key).reverse().toString()));

    private final Map<String, TreeMap<Integer, byte[]>> uploads = new HashMap<>();
    private int writes;
    private int sessions;

    synchronized int sessions() {
        return sessions;
    }

    @Override
    public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
        return new ExecutableHttpRequest() {
            @Override
            public HttpExecuteResponse call() throws IOException {
                byte[] body = request.contentStreamProvider().isPresent() ? ScriptedHttp.body(request) : new byte[0];
                return answer(request.httpRequest(), body);
            }

            @Override
            public void abort() {}
        };
    }

    @Override
    public void close() {}

    private synchronized HttpExecuteResponse answer(SdkHttpRequest request, byte[] body) throws IOException {
        Map<String, List<String>> query = request.rawQueryParameters();
        String path = request.encodedPath();
        String key = path.isEmpty() ? "" : URLDecoder.decode(path.substring(1), StandardCharsets.UTF_8);
        if (query.containsKey("session")) {
            sessions++;
            return xml("<CreateSessionResult><Credentials><SessionToken>t</SessionToken><SecretAccessKey>s"
                    + "</SecretAccessKey><AccessKeyId>a</AccessKeyId><Expiration>2099-01-01T00:00:00Z</Expiration>"
                    + "</Credentials></CreateSessionResult>");
        }
        if (query.containsKey("list-type")) {
            return list(query);
        }
        if (query.containsKey("delete")) {
            return deleteAll(body);
        }
        if (query.containsKey("uploads") || query.containsKey("uploadId")) {
            return upload(request, key, body);
        }
        return key.isEmpty() ? response(200, Map.of(), new byte[0]) : object(request, key, body);
    }

    /** Begins an upload, takes a part, makes the object of all parts, or forgets them. */
    private HttpExecuteResponse upload(SdkHttpRequest request, String key, byte[] body) {
        Map<String, List<String>> query = request.rawQueryParameters();
        if (query.containsKey("uploads")) {
            String id = "u" + ++writes;
            uploads.put(id, new TreeMap<>());
            return xml(
                    "<InitiateMultipartUploadResult><UploadId>" + id + "</UploadId></InitiateMultipartUploadResult>");
        }
        String id = first(query, "uploadId");
        TreeMap<Integer, byte[]> parts = uploads.get(id);
        if (parts == null) {
            return error(404, "NoSuchUpload");
        }
        if (request.method() == SdkHttpMethod.PUT) {
            parts.put(Integer.valueOf(first(query, "partNumber")), body);
            return response(200, Map.of("ETag", "\"p" + ++writes + "\""), new byte[0]);
        }
        uploads.remove(id);
        if (request.method() == SdkHttpMethod.POST) {
            ByteArrayOutputStream whole = new ByteArrayOutputStream();
            parts.values().forEach(whole::writeBytes);
            String eTag = "\"w" + ++writes + "\"";
            objects.put(key, new Stored(whole.toByteArray(), eTag, Instant.now()));
            return xml("<CompleteMultipartUploadResult><ETag>" + eTag.replace("\"", "&quot;")
                    + "</ETag></CompleteMultipartUploadResult>");
        }
        return response(204, Map.of(), new byte[0]);
    }

    private HttpExecuteResponse object(SdkHttpRequest request, String key, byte[] body) {
        return switch (request.method()) {
            case PUT -> put(request, key, body);
            case GET -> get(request, key);
            case HEAD -> get(request, key);
            case DELETE -> {
                objects.remove(key);
                yield response(204, Map.of(), new byte[0]);
            }
            default -> error(405, "MethodNotAllowed");
        };
    }

    private HttpExecuteResponse put(SdkHttpRequest request, String key, byte[] body) {
        if (request.firstMatchingHeader("x-amz-tagging").isPresent()) {
            return error(501, "NotImplemented");
        }
        Stored stored = objects.get(key);
        String ifMatch = request.firstMatchingHeader("If-Match").orElse(null);
        if (ifMatch != null && stored == null) {
            return error(404, "NoSuchKey");
        }
        boolean absent = request.firstMatchingHeader("If-None-Match").isPresent();
        if (absent && stored != null || ifMatch != null && !ifMatch.equals(stored.eTag)) {
            return error(412, "PreconditionFailed");
        }
        Stored next = new Stored(body, "\"w" + ++writes + "\"", Instant.now());
        objects.put(key, next);
        return response(200, Map.of("ETag", next.eTag), new byte[0]);
    }

    private HttpExecuteResponse get(SdkHttpRequest request, String key) {
        Stored stored = objects.get(key);
        if (stored == null) {
            return error(404, "NoSuchKey");
        }
        Map<String, String> headers = Map.of("ETag", stored.eTag, "Last-Modified", rfc1123(stored.modified));
        if (stored.eTag.equals(request.firstMatchingHeader("If-None-Match").orElse(""))) {
            return response(304, headers, new byte[0]);
        }
        String range = request.firstMatchingHeader("Range").orElse(null);
        if (range == null) {
            return response(200, headers, stored.body);
        }
        String[] ends = range.substring("bytes=".length()).split("-");
        long from = Long.parseLong(ends[0]);
        if (from >= stored.body.length) {
            return error(416, "InvalidRange");
        }
        int to = (int) Math.min(stored.body.length, Long.parseLong(ends[1]) + 1);
        return response(206, headers, Arrays.copyOfRange(stored.body, (int) from, to));
    }

    private HttpExecuteResponse list(Map<String, List<String>> query) {
        String prefix = first(query, "prefix");
        if (query.containsKey("start-after") || !prefix.isEmpty() && !prefix.endsWith("/")) {
            return error(400, "InvalidRequest");
        }
        String token = new String(HexFormat.of().parseHex(first(query, "continuation-token")), StandardCharsets.UTF_8);
        List<String> keys = new ArrayList<>();
        for (String key : token.isEmpty()
                ? objects.keySet()
                : objects.tailMap(token, false).keySet()) {
            if (key.startsWith(prefix)) {
                keys.add(key);
            }
        }
        boolean truncated = keys.size() > PAGE_MAX;
        StringBuilder xml = new StringBuilder("<ListBucketResult><EncodingType>url</EncodingType><IsTruncated>")
                .append(truncated)
                .append("</IsTruncated>");
        List<String> page = keys.subList(0, Math.min(PAGE_MAX, keys.size()));
        page.forEach(key -> xml.append(entry(key, objects.get(key))));
        if (truncated) {
            xml.append("<NextContinuationToken>")
                    .append(HexFormat.of().formatHex(page.getLast().getBytes(StandardCharsets.UTF_8)))
                    .append("</NextContinuationToken>");
        }
        return xml(xml.append("</ListBucketResult>").toString());
    }

    private static String entry(String key, Stored stored) {
        return "<Contents><Key>" + URLEncoder.encode(key, StandardCharsets.UTF_8) + "</Key><LastModified>"
                + stored.modified + "</LastModified><ETag>" + stored.eTag.replace("\"", "&quot;") + "</ETag><Size>"
                + stored.body.length + "</Size></Contents>";
    }

    private static String first(Map<String, List<String>> query, String name) {
        return query.containsKey(name) ? query.get(name).getFirst() : "";
    }

    private HttpExecuteResponse deleteAll(byte[] body) throws IOException {
        try {
            NodeList keys = DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(new InputSource(new StringReader(new String(body, StandardCharsets.UTF_8))))
                    .getElementsByTagName("Key");
            for (int i = 0; i < keys.getLength(); i++) {
                objects.remove(keys.item(i).getTextContent());
            }
            return xml("<DeleteResult>" + "<Deleted></Deleted>".repeat(keys.getLength()) + "</DeleteResult>");
        } catch (ParserConfigurationException | SAXException e) {
            return error(400, "MalformedXML");
        }
    }

    private static HttpExecuteResponse error(int status, String code) {
        return response(
                status, Map.of(), ("<Error><Code>" + code + "</Code></Error>").getBytes(StandardCharsets.UTF_8));
    }

    private static HttpExecuteResponse xml(String xml) {
        return response(200, Map.of(), xml.getBytes(StandardCharsets.UTF_8));
    }

    private static HttpExecuteResponse response(int status, Map<String, String> headers, byte[] body) {
        Map<String, String> all = new HashMap<>(headers);
        all.put("Date", rfc1123(Instant.now()));
        all.put("x-amz-request-id", "REQ1");
        return ScriptedHttp.response(status, all, body);
    }

    private static String rfc1123(Instant instant) {
        return DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.ofInstant(instant, ZoneOffset.UTC));
    }
}
