package io.penstock.console;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import io.penstock.KeyCodec;
import io.penstock.Keys;
import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Bytes of a store as a person reads them.
 *
 * @param kind names the form: JSON, text or bytes
 */
record Shown(String kind, String text) {
    private static final JsonFactory JSON = new JsonFactory();
    private static final Pattern DESCENDING = Pattern.compile("descending\\((.+)\\)");

    /** It makes one sign of several, in some scripts; the one before it keeps them apart. */
    private static final int ZERO_WIDTH_JOINER = 0x200d;

    /** The bytes that a line of hexadecimal digits shows. */
    private static final int LINE = 32;

    /** A key, by the codecs of its parts where the library has them. */
    static String key(List<String> types, Bytes key) {
        try {
            return part(codec(types).decode(key));
        } catch (CorruptDataException | IllegalArgumentException foreign) {
            return bytes(key, true).text;
        }
    }

    private static KeyCodec<?> codec(List<String> types) {
        KeyCodec<?> first = codec(types.getFirst());
        return types.size() == 1 ? first : Keys.pair(first, codec(types.subList(1, types.size())));
    }

    private static KeyCodec<?> codec(String name) {
        Matcher descending = DESCENDING.matcher(name);
        if (descending.matches()) {
            return Keys.descending(codec(descending.group(1)));
        }
        return switch (name) {
            case "decimal" -> Keys.decimals();
            case "instant" -> Keys.instants();
            case "long" -> Keys.longs();
            case "string" -> Keys.string();
            case "uuid" -> Keys.uuids();
            default -> Keys.bytes();
        };
    }

    private static String part(Object key) {
        return switch (key) {
            case Keys.Pair<?, ?> pair -> part(pair.first()) + " · " + part(pair.second());
            case Bytes bytes -> bytes(bytes, true).text;
            default -> key.toString();
        };
    }

    /**
     * A payload, or its front.
     *
     * @param whole whether these are all of its bytes
     */
    static Shown payload(Bytes front, boolean whole) {
        if (whole) {
            try {
                return new Shown("JSON", json(front));
            } catch (IOException noJson) {
                // Then it is text, or bytes.
            }
        }
        return bytes(front, whole);
    }

    private static String json(Bytes payload) throws IOException {
        StringWriter out = new StringWriter();
        try (JsonParser in = JSON.createParser(payload.array(), payload.offset(), payload.length());
                JsonGenerator pretty = JSON.createGenerator(out).setPrettyPrinter(new DefaultPrettyPrinter())) {
            if (in.nextToken() == null || !in.currentToken().isStructStart()) {
                throw new IOException("no object and no array");
            }
            for (; in.currentToken() != null; in.nextToken()) {
                pretty.copyCurrentEventExact(in);
            }
        }
        return out.toString();
    }

    private static Shown bytes(Bytes bytes, boolean whole) {
        CharBuffer text = CharBuffer.allocate(bytes.length());
        CoderResult end = StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(bytes.array(), bytes.offset(), bytes.length()), text, whole);
        String read = text.flip().toString();
        return !end.isError() && read.codePoints().allMatch(Shown::isText)
                ? new Shown("text", read)
                : new Shown("bytes", hex(bytes));
    }

    private static String hex(Bytes bytes) {
        String hex = bytes.toHex();
        StringBuilder lines = new StringBuilder();
        for (int at = 0; at < hex.length(); at += 2 * LINE) {
            lines.append(at == 0 ? "" : "\n").append(hex, at, Math.min(hex.length(), at + 2 * LINE));
        }
        return lines.toString();
    }

    /** Whether a character may be in a text, rather than in other bytes. */
    private static boolean isText(int c) {
        int type = Character.getType(c);
        return type != Character.SURROGATE && (type != Character.CONTROL || c == '\n' || c == '\r' || c == '\t');
    }

    /** Whether a character is seen as it is: not one that hides others, or turns their order. */
    static boolean isPlain(int c) {
        return isText(c)
                && (Character.getType(c) != Character.FORMAT || c == ZERO_WIDTH_JOINER || c == ZERO_WIDTH_JOINER - 1);
    }
}
