package io.penstock.testing;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Mutations of valid bytes: flipped, cut, doubled, inserted, with lengths and numbers that are likely to cause errors.
 */
final class Mutations {
    private static final long[] EDGES = {
        0, 1, -1, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, Integer.MAX_VALUE, Integer.MIN_VALUE, Long.MAX_VALUE, Long.MIN_VALUE
    };

    /** Varints of the greatest 32 and 63 bits, of all 64, one without an end, and one with needless zeros. */
    private static final byte[][] VARINTS = {
        {-1, -1, -1, -1, 7},
        {-1, -1, -1, -1, 15},
        {-1, -1, -1, -1, -1, -1, -1, -1, 127},
        {-1, -1, -1, -1, -1, -1, -1, -1, -1, 1},
        {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1},
        {-128, -128, -128, -128, 0}
    };

    private static final int RANDOM_BYTES_MAX = 400;
    private static final int CHANGES_MAX = 5;
    private static final int REPEATS_MAX = 5000;

    private final SplittableRandom random;

    Mutations(SplittableRandom random) {
        this.random = random;
    }

    byte[] of(List<byte[]> valid) {
        byte[] bytes = valid.get(random.nextInt(valid.size()));
        switch (random.nextInt(16)) {
            case 0 -> {
                return noise();
            }
            case 1 -> {
                byte[] front = Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
                return concat(front, noise());
            }
            case 2 -> {
                return random.nextBoolean() ? widened(bytes) : bytes;
            }
            case 3 -> {
                byte[] front = Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
                byte[] other = valid.get(random.nextInt(valid.size()));
                return concat(front, Arrays.copyOfRange(other, random.nextInt(other.length + 1), other.length));
            }
            default -> {
                bytes = bytes.clone();
                for (int changes = 1 + random.nextInt(CHANGES_MAX); changes > 0; changes--) {
                    bytes = changed(bytes);
                }
                return bytes;
            }
        }
    }

    /** Text, in an encoding of two bytes a letter. */
    private static byte[] widened(byte[] bytes) {
        byte[] wide = new byte[2 * bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            wide[2 * i] = bytes[i];
        }
        return wide;
    }

    private byte[] noise() {
        byte[] bytes = new byte[random.nextInt(RANDOM_BYTES_MAX)];
        random.nextBytes(bytes);
        return bytes;
    }

    private byte[] changed(byte[] bytes) {
        int at = random.nextInt(bytes.length + 1);
        int left = bytes.length - at;
        return switch (random.nextInt(12)) {
            case 0, 1 ->
                written(bytes, at, new byte[] {(byte) (at < bytes.length ? bytes[at] ^ 1 << random.nextInt(8) : 0)});
            case 2 -> written(bytes, at, new byte[] {(byte) random.nextInt(256)});
            case 3, 4 -> written(bytes, at, number());
            case 5 -> written(bytes, at, VARINTS[random.nextInt(VARINTS.length)]);
            case 6 -> spliced(bytes, at, Math.min(left, random.nextInt(3)), VARINTS[random.nextInt(VARINTS.length)]);
            case 7 -> Arrays.copyOf(bytes, at);
            case 8 -> spliced(bytes, at, random.nextInt(left + 1), new byte[0]);
            case 9 -> spliced(bytes, at, 0, number());
            case 10 -> {
                byte[] part = Arrays.copyOfRange(bytes, at, at + random.nextInt(Math.min(left, 64) + 1));
                yield spliced(bytes, random.nextInt(bytes.length + 1), 0, part);
            }
            default -> {
                byte[] same = new byte[random.nextInt(8) == 0 ? random.nextInt(REPEATS_MAX) : random.nextInt(20)];
                Arrays.fill(same, at < bytes.length ? bytes[at] : 0);
                yield spliced(bytes, at, 0, same);
            }
        };
    }

    /** An edge, or one beside it, of 1, 2, 4 or 8 bytes, in either order. */
    private byte[] number() {
        long value = EDGES[random.nextInt(EDGES.length)] + random.nextInt(3) - 1;
        byte[] bytes = new byte[1 << random.nextInt(4)];
        boolean little = random.nextBoolean();
        for (int i = 0; i < bytes.length; i++) {
            bytes[little ? i : bytes.length - 1 - i] = (byte) (value >>> 8 * i);
        }
        return bytes;
    }

    /** With {@code value} over what is at {@code at}, as far as there is something. */
    private static byte[] written(byte[] bytes, int at, byte[] value) {
        System.arraycopy(value, 0, bytes, at, Math.min(value.length, bytes.length - at));
        return bytes;
    }

    private static byte[] spliced(byte[] bytes, int at, int removed, byte[] added) {
        byte[] next = new byte[bytes.length - removed + added.length];
        System.arraycopy(bytes, 0, next, 0, at);
        System.arraycopy(added, 0, next, at, added.length);
        System.arraycopy(bytes, at + removed, next, at + added.length, bytes.length - at - removed);
        return next;
    }

    private static byte[] concat(byte[] a, byte[] b) {
        byte[] both = Arrays.copyOf(a, a.length + b.length);
        System.arraycopy(b, 0, both, a.length, b.length);
        return both;
    }
}
