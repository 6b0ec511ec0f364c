package io.penstock.core;

import java.util.HexFormat;

/**
 * The name of one B-link tree of a store: a random 64-bit number, drawn when the tree is created and kept in the
 * catalog.
 */
public record TreeId(long value) implements Comparable<TreeId> {
    /** The tree's name in object keys and queue names: 16 lower-case hexadecimal digits. */
    public String hex() {
        return HexFormat.of().toHexDigits(value);
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
