package io.penstock.core.seal;

import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * The text of a ring of keys.
 *
 * @param id of the ring, in 16 bytes
 * @param keys by their numbers; at least one
 */
record RingText(Bytes id, SortedMap<Integer, Sealed> keys) {
    private static final String TITLE = "penstock keys 1";
    private static final String RING = "ring ";
    private static final String KEY = "key ";
    private static final String SUM = "crc32c ";

    /**
     * A data key.
     *
     * @param master the name of the master key that has sealed it
     */
    record Sealed(String master, Bytes bytes) {}

    Bytes encode() {
        StringBuilder text = new StringBuilder(TITLE + "\n" + RING + id.toHex() + "\n");
        keys.forEach((number, key) -> text.append(KEY)
                .append(number)
                .append(' ')
                .append(key.master)
                .append(' ')
                .append(Base64.getEncoder().encodeToString(key.bytes.toArray()))
                .append('\n'));
        return Bytes.utf8(text + SUM + sum(text.toString()) + "\n");
    }

    private static String sum(String text) {
        CRC32C crc = new CRC32C();
        crc.update(Bytes.utf8(text).toArray());
        return HexFormat.of().toHexDigits((int) crc.getValue());
    }

    /** @param key of the object */
    static RingText decode(Bytes body, String key) {
        String text = body.toUtf8();
        int end = text.lastIndexOf(SUM);
        try {
            if (end < 0 || !text.substring(end).equals(SUM + sum(text.substring(0, end)) + "\n")) {
                throw new IllegalArgumentException("sum");
            }
            return parse(text.substring(0, end).split("\n"));
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new CorruptDataException(
                    "the ring of keys cannot be read; use the penstock that wrote it, or restore the object",
                    e,
                    "key",
                    key);
        }
    }

    private static RingText parse(String[] lines) {
        if (!lines[0].equals(TITLE) || !lines[1].startsWith(RING) || lines.length < 3) {
            throw new IllegalArgumentException("title");
        }
        SortedMap<Integer, Sealed> keys = new TreeMap<>();
        for (String line : List.of(lines).subList(2, lines.length)) {
            String[] words = line.split(" ");
            if (words.length != 4 || !line.startsWith(KEY)) {
                throw new IllegalArgumentException("key");
            }
            keys.put(
                    Integer.parseInt(words[1]),
                    new Sealed(words[2], Bytes.wrap(Base64.getDecoder().decode(words[3]))));
        }
        return new RingText(Bytes.wrap(HexFormat.of().parseHex(lines[1].substring(RING.length()))), keys);
    }
}
