package io.penstock.core;

import java.util.HexFormat;

/** The name of one open store handle: a random 64-bit number, never used again. */
public record ClientId(long value) implements Comparable<ClientId> {
    /** 16 lower-case hexadecimal digits. */
    public String hex() {
        return HexFormat.of().toHexDigits(value);
    }

    public static ClientId fromHex(String hex) {
        return new ClientId(HexFormat.fromHexDigitsToLong(hex));
    }

    @Override
    public int compareTo(ClientId other) {
        return Long.compareUnsigned(value, other.value);
    }

    @Override
    public String toString() {
        return hex();
    }
}
