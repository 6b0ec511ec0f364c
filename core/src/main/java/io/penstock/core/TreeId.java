package io.penstock.core;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HexFormat;
import java.util.random.RandomGenerator;

/**
 * The name of one B-link tree of a store: a random 64-bit number, drawn when the tree is created and kept in the
 * catalog.
 */
public record TreeId(long value) implements Comparable<TreeId> {
    /** Fowler, Noll and Vo's hash of 64 bits, FNV-1a: two names must differ in it, and nothing more is asked. */
    private static final long FNV_BASIS = 0xcbf29ce484222325L;

    private static final long FNV_PRIME = 0x100000001b3L;

    /** The tree's name in object keys and queue names: 16 lower-case hexadecimal digits. */
    public String hex() {
        return HexFormat.of().toHexDigits(value);
    }

    /**
     * Draws the id of the tree that {@code name} is to have. Clones of one process may draw the same number for trees
     * of two names, so the name goes into the id.
     */
    public static TreeId draw(RandomGenerator random, String name) {
        return new TreeId(random.nextLong() ^ hashOf(name));
    }

    /** Returns the hash of a name, equal at every client. Stored numbers follow from it, so it never changes. */
    public static long hashOf(String name) {
        long hash = FNV_BASIS;
        for (byte each : name.getBytes(UTF_8)) {
            hash = (hash ^ Byte.toUnsignedLong(each)) * FNV_PRIME;
        }
        return hash;
    }

    public static TreeId fromHex(String hex) {
        return new TreeId(HexFormat.fromHexDigitsToLong(hex));
    }

    @Override
    public int compareTo(TreeId other) {
        return Long.compareUnsigned(value, other.value);
    }

    @Override
    public String toString() {
        return hex();
    }
}
