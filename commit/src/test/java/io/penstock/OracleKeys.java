package io.penstock;

import io.penstock.core.Bytes;
import java.util.Arrays;
import java.util.Comparator;
import java.util.SplittableRandom;

/** Keys and payloads that are hard for a tree, from a space so small that they recur. */
final class OracleKeys {
    /** An order of its own, not the one that the store sorts by. */
    static final Comparator<Bytes> ORDER = (a, b) -> Arrays.compareUnsigned(
            a.array(), a.offset(), a.offset() + a.length(), b.array(), b.offset(), b.offset() + b.length());

    /** The longest key: an index entry with three bytes of search key, escaped, fits into a page of 512 bytes too. */
    private static final int KEY_BYTES_MAX = 54;

    /** Low and high ends of signed and unsigned order, and the marks of composite keys. */
    private static final byte[] EDGES = {0, 1, 0x7f, (byte) 0x80, (byte) 0xfe, (byte) 0xff};

    private final SplittableRandom random;
    private final int space;

    /** Whether all keys are long and share little, so that pages hold few and trees grow high. */
    private final boolean allLong;

    /** @param many whether keys seldom come again */
    OracleKeys(SplittableRandom random, boolean many) {
        this.random = random;
        this.space = many ? 1 << 14 : 1 << random.nextInt(10);
        this.allLong = random.nextInt(3) == 0;
    }

    Bytes key() {
        int number = random.nextInt(space);
        // A key's bytes follow from its number.
        SplittableRandom shape = new SplittableRandom(number);
        byte[] bytes = switch (allLong ? 5 : number % 5) {
            case 0 -> edges(shape, 1 + shape.nextInt(3));
            case 1 -> tail(repeated(EDGES[shape.nextInt(EDGES.length)], KEY_BYTES_MAX), number);
            case 2 -> repeated((byte) 0xff, 1 + shape.nextInt(KEY_BYTES_MAX));
            case 3 -> new byte[] {'k', (byte) (number >> 8), (byte) number};
            case 4 -> edges(shape, 1 + shape.nextInt(KEY_BYTES_MAX));
            default -> edges(shape, KEY_BYTES_MAX - shape.nextInt(10));
        };
        return Bytes.wrap(bytes);
    }

    private static byte[] edges(SplittableRandom shape, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = EDGES[shape.nextInt(EDGES.length)];
        }
        return bytes;
    }

    private static byte[] repeated(byte value, int length) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, value);
        return bytes;
    }

    private static byte[] tail(byte[] bytes, int number) {
        bytes[bytes.length - 2] = (byte) (number >> 8);
        bytes[bytes.length - 1] = (byte) number;
        return bytes;
    }

    /** Mostly short; sometimes about as long as fits into a page of 512 bytes, or an object of its own. */
    Bytes payload() {
        int length = switch (random.nextInt(20)) {
            case 0 -> 100 + random.nextInt(60);
            case 1 -> random.nextInt(4000);
            default -> random.nextInt(20);
        };
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        for (int i = 0; i < Math.min(3, length); i++) {
            bytes[i] = EDGES[random.nextInt(EDGES.length)];
        }
        return Bytes.wrap(bytes);
    }

    /** The beginning of a payload; null, so that the index leaves the record out, of one without any. */
    static Bytes searchKey(Bytes payload) {
        return payload.isEmpty() ? null : payload.slice(0, Math.min(payload.length(), 3) * (payload.at(0) & 1));
    }

    Bytes searchKey() {
        return Bytes.wrap(edges(random, random.nextInt(4)));
    }

    /** A key, or something near it: the beginning of it, or a byte more. */
    Bytes bound() {
        Bytes key = key();
        return switch (random.nextInt(4)) {
            case 0 -> key.slice(0, random.nextInt(key.length() + 1));
            case 1 -> key.concat(Bytes.wrap(edges(random, 1)));
            default -> key;
        };
    }
}
