package io.penstock.testing;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One request or answer of HTTP/1.1 as the bytes that were read. Knows of the protocol what it takes to find its end.
 *
 * @param headLength bytes up to and with the empty line
 */
record HttpMessage(byte[] bytes, int headLength) {
    /** Heads longer than this are no heads. */
    private static final int HEAD_BYTES_MAX = 64 << 10;

    /** The next request; null when the client has ended the connection instead. */
    static @Nullable HttpMessage request(InputStream in, OutputStream back) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        if (!readHead(in, bytes)) {
            return null;
        }
        String head = bytes.toString(StandardCharsets.ISO_8859_1);
        int headLength = bytes.size();
        if ("100-continue".equalsIgnoreCase(field(head, "expect"))) {
            back.write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            back.flush();
        }
        readBody(in, bytes, head, 0);
        return new HttpMessage(bytes.toByteArray(), headLength);
    }

    /** The answer to {@code request}. */
    private static HttpMessage answer(InputStream in, HttpMessage request) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        String head;
        do {
            bytes.reset();
            if (!readHead(in, bytes)) {
                throw new EOFException("no answer");
            }
            head = bytes.toString(StandardCharsets.ISO_8859_1);
        } while (status(head) / 100 == 1);
        int headLength = bytes.size();
        boolean bodiless = request.line().startsWith("HEAD ") || status(head) == 204 || status(head) == 304;
        if (!bodiless) {
            readBody(in, bytes, head, Integer.MAX_VALUE);
        }
        return new HttpMessage(bytes.toByteArray(), headLength);
    }

    static HttpMessage of(String status, List<String> fields, String body) {
        byte[] content = body.getBytes(StandardCharsets.UTF_8);
        String head = "HTTP/1.1 " + status + "\r\n" + String.join("\r\n", fields) + "\r\nContent-Length: "
                + content.length + "\r\n\r\n";
        byte[] bytes = Arrays.copyOf(head.getBytes(StandardCharsets.US_ASCII), head.length() + content.length);
        System.arraycopy(content, 0, bytes, head.length(), content.length);
        return new HttpMessage(bytes, head.length());
    }

    /** The first line. */
    String line() {
        String head = head();
        return head.substring(0, head.indexOf("\r\n"));
    }

    /** Whether the connection ends with this message. */
    boolean isLast() {
        String head = head();
        return "close".equalsIgnoreCase(field(head, "connection"))
                || head.startsWith("HTTP/")
                        && field(head, "content-length") == null
                        && !isChunked(head)
                        && headLength < bytes.length;
    }

    /** The value of a field of the head; null without it. */
    @Nullable
    String field(String name) {
        return field(head(), name);
    }

    /** Sends this request over {@code server}, and returns the answer. */
    HttpMessage ask(Socket server) throws IOException {
        forward(server.getOutputStream());
        return answer(new BufferedInputStream(server.getInputStream()), this);
    }

    /** Sends the message, without the promise to wait before the body, which was read already. */
    private void forward(OutputStream out) throws IOException {
        String head = head();
        if (field(head, "expect") == null) {
            out.write(bytes);
        } else {
            out.write(head.replaceFirst("(?i)\r\nexpect:[^\r]*", "").getBytes(StandardCharsets.ISO_8859_1));
            out.write(bytes, headLength, bytes.length - headLength);
        }
        out.flush();
    }

    private String head() {
        return new String(bytes, 0, headLength, StandardCharsets.ISO_8859_1);
    }

    private static int status(String head) {
        return Integer.parseInt(head.split(" ", 3)[1].strip());
    }

    private static boolean readHead(InputStream in, ByteArrayOutputStream bytes) throws IOException {
        int matched = 0;
        while (matched < 4) {
            int next = in.read();
            if (next < 0) {
                if (bytes.size() == 0) {
                    return false;
                }
                throw new EOFException("a head ended early");
            }
            bytes.write(next);
            matched = next == "\r\n\r\n".charAt(matched) ? matched + 1 : next == '\r' ? 1 : 0;
            if (bytes.size() > HEAD_BYTES_MAX) {
                throw new IOException("a head is too long");
            }
        }
        return true;
    }

    /** @param unsized how many bytes there are at most when the head does not say */
    private static void readBody(InputStream in, ByteArrayOutputStream bytes, String head, int unsized)
            throws IOException {
        String length = field(head, "content-length");
        if (isChunked(head)) {
            readChunks(in, bytes);
        } else if (length != null) {
            copy(in, bytes, Integer.parseInt(length));
        } else {
            bytes.write(in.readNBytes(unsized));
        }
    }

    private static void readChunks(InputStream in, ByteArrayOutputStream bytes) throws IOException {
        while (true) {
            String size = line(in, bytes);
            int length = Integer.parseInt(size.split(";", 2)[0].strip(), 16);
            if (length == 0) {
                while (!line(in, bytes).isEmpty()) {
                    // trailing fields
                }
                return;
            }
            copy(in, bytes, length + 2);
        }
    }

    private static String line(InputStream in, ByteArrayOutputStream bytes) throws IOException {
        StringBuilder line = new StringBuilder();
        while (line.length() < 2 || line.lastIndexOf("\r\n") != line.length() - 2) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException("a chunk ended early");
            }
            bytes.write(next);
            line.append((char) next);
        }
        return line.substring(0, line.length() - 2);
    }

    private static void copy(InputStream in, ByteArrayOutputStream bytes, int length) throws IOException {
        byte[] body = in.readNBytes(length);
        if (body.length < length) {
            throw new EOFException("a body ended early");
        }
        bytes.write(body);
    }

    private static boolean isChunked(String head) {
        String coding = field(head, "transfer-encoding");
        return coding != null && coding.toLowerCase(Locale.ROOT).contains("chunked");
    }

    /** The value of a field; null without it. */
    private static @Nullable String field(String head, String name) {
        return head.lines()
                .filter(line -> line.regionMatches(true, 0, name + ":", 0, name.length() + 1))
                .map(line -> line.substring(name.length() + 1).strip())
                .findFirst()
                .orElse(null);
    }
}
