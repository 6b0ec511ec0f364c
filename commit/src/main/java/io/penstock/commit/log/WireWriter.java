package io.penstock.commit.log;

import io.penstock.core.Bytes;
import java.util.Arrays;

/** A growing byte array with the encodings that messages use: little-endian numbers and unsigned LEB128 varints. */
public final class WireWriter {
    private byte[] buffer;
    private int length;

    public WireWriter(int expectedBytes) {
        buffer = new byte[Math.max(16, expectedBytes)];
    }

    public int length() {
        return length;
    }

    public WireWriter u8(int value) {
        reserve(1);
        buffer[length++] = (byte) value;
        return this;
    }

    public WireWriter u32(int value) {
        for (int shift = 0; shift < 32; shift += 8) {
            u8(value >>> shift);
        }
        return this;
    }

    public WireWriter u64(long value) {
        for (int shift = 0; shift < 64; shift += 8) {
            u8((int) (value >>> shift));
        }
        return this;
    }

    /** Writes a varint: 1 to 10 bytes with seven bits each, low ones first. */
    public WireWriter varint(long value) {
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            u8((int) (rest & 0x7f) | 0x80);
            rest >>>= 7;
        }
        return u8((int) rest);
    }

    public WireWriter raw(Bytes bytes) {
        reserve(bytes.length());
        bytes.copyTo(buffer, length);
        length += bytes.length();
        return this;
    }

    /** Writes a varint with the length, then the bytes. */
    public WireWriter bytes(Bytes bytes) {
        return varint(bytes.length()).raw(bytes);
    }

    public Bytes toBytes() {
        return Bytes.wrap(buffer, 0, length);
    }

    private void reserve(int more) {
        if (buffer.length - length < more) {
            buffer = Arrays.copyOf(buffer, Math.max(length + more, buffer.length * 2));
        }
    }
}
