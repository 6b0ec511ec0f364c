package io.penstock.cli.transfer;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.penstock.Entry;
import io.penstock.core.Bytes;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * JSON Lines, one object for each record: {@code {"key":"a","value":{"n":1}}}. A key that is not UTF-8 is in {@code
 * key64}, in base64. A payload that is not JSON, or has line breaks or surrounding white space, is in {@code value64}.
 * So every payload is read back byte by byte.
 */
final class JsonLines implements RecordFormat.Lines {
    /** A payload of 100 MiB has a base64 string of a third more. */
    private static final int STRING_CHARS_MAX = 160 << 20;

    private static final JsonFactory LINES = factory(StreamReadConstraints.DEFAULT_MAX_DEPTH);

    /** A payload is one level deeper in its line. */
    private static final JsonFactory PAYLOADS = factory(StreamReadConstraints.DEFAULT_MAX_DEPTH - 1);

    private static JsonFactory factory(int depthMax) {
        return JsonFactory.builder()
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxStringLength(STRING_CHARS_MAX)
                        .maxNestingDepth(depthMax)
                        .build())
                .build();
    }

    @Override
    public String head() {
        return "";
    }

    @Override
    public void write(OutputStream out, Bytes key, Bytes payload) throws IOException {
        String text = utf8(key);
        if (text == null) {
            ascii(out, "{\"key64\":\"" + base64(key));
        } else {
            ascii(out, "{\"key\":\"");
            out.write(JsonStringEncoder.getInstance().quoteAsUTF8(text));
        }
        if (isPlainJson(payload)) {
            ascii(out, "\",\"value\":");
            out.write(payload.array(), payload.offset(), payload.length());
            ascii(out, "}");
        } else {
            ascii(out, "\",\"value64\":\"");
            out.write(Base64.getEncoder().encode(payload.toArray()));
            ascii(out, "\"}");
        }
    }

    private static void ascii(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static String base64(Bytes bytes) {
        return Base64.getEncoder().encodeToString(bytes.toArray());
    }

    /** Decodes UTF-8; null if the bytes are not valid. */
    private static @Nullable String utf8(Bytes bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.array(), bytes.offset(), bytes.length()))
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    /** Returns whether a payload is one JSON value that fits on a line unchanged. */
    private static boolean isPlainJson(Bytes payload) {
        if (payload.isEmpty() || payload.at(0) <= ' ' || payload.at(payload.length() - 1) <= ' ') {
            // Beyond ASCII nothing begins or ends a JSON value, and those bytes are below zero.
            return false;
        }
        for (int i = 0; i < payload.length(); i++) {
            if (payload.at(i) == '\n' || payload.at(i) == '\r') {
                return false;
            }
        }
        if (utf8(payload) == null) {
            return false;
        }
        try (JsonParser parser = PAYLOADS.createParser(payload.array(), payload.offset(), payload.length())) {
            parser.nextToken();
            parser.skipChildren();
            parser.finishToken();
            return parser.nextToken() == null;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public Entry<Bytes, Bytes> read(byte[] line) throws IOException {
        for (byte each : line) {
            // Our lines have no zero byte. Lines of UTF-16 or UTF-32 do, and the parser would accept those.
            require(each != 0);
        }
        Bytes key = null;
        Bytes payload = null;
        try (JsonParser parser = LINES.createParser(line)) {
            require(parser.nextToken() == JsonToken.START_OBJECT);
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                JsonToken token = parser.nextToken();
                require(name.startsWith("key") ? key == null : payload == null);
                switch (name) {
                    case "key" -> {
                        require(token == JsonToken.VALUE_STRING);
                        // Not String.getBytes, which writes "?" for half a surrogate pair: two keys would become one.
                        key = Bytes.wrap(
                                toArray(StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(parser.getText()))));
                    }
                    case "key64" -> key = Bytes.wrap(parser.getBinaryValue());
                    case "value" -> payload = verbatim(parser, line);
                    case "value64" -> payload = Bytes.wrap(parser.getBinaryValue());
                    default -> require(false);
                }
            }
            require(parser.nextToken() == null);
        }
        if (key == null || payload == null) {
            throw new IOException("a record has a key and a value");
        }
        return new Entry<>(key, payload);
    }

    private static byte[] toArray(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }

    /** The bytes of the value at the parser's position. */
    private static Bytes verbatim(JsonParser parser, byte[] line) throws IOException {
        int from = (int) parser.currentTokenLocation().getByteOffset();
        parser.skipChildren();
        parser.finishToken();
        int to = (int) parser.currentLocation().getByteOffset();
        return Bytes.wrap(line).slice(from, to).copy();
    }

    private static void require(boolean holds) throws IOException {
        if (!holds) {
            throw new IOException("not a record");
        }
    }
}
