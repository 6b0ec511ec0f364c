package io.penstock.commit.log;

import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;

/**
 * A reader of the encodings of {@link WireWriter}. Any other bytes lead to a {@link CorruptDataException}, never to a
 * large allocation.
 */
public final class WireReader {
    private final Bytes source;
    private final String what;
    private int position;

    /** @param what names the source in error messages */
    public WireReader(Bytes source, String what) {
        this.source = source;
        this.what = what;
    }

    public int remaining() {
        return source.length() - position;
    }

    public int u8() {
        need(1);
        return source.at(position++) & 0xff;
    }

    public int u32() {
        int value = 0;
        for (int shift = 0; shift < 32; shift += 8) {
            value |= u8() << shift;
        }
        return value;
    }

    public long u64() {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 8) {
            value |= (long) u8() << shift;
        }
        return value;
    }

    public long varint() {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            int next = u8();
            value |= (long) (next & 0x7f) << shift;
            if ((next & 0x80) == 0) {
                return value;
            }
        }
        throw corrupt("a number has too many bytes");
    }

    /** Reads a varint that counts items of at least {@code bytesEach} bytes; that many bytes must be left. */
    public int count(int bytesEach) {
        long count = varint();
        if (count < 0 || count > remaining() / Math.max(1, bytesEach)) {
            throw corrupt("a count is larger than what is left");
        }
        return (int) count;
    }

    /** Reads a slice that shares the source's array. */
    public Bytes bytes() {
        int length = count(1);
        Bytes slice = source.slice(position, position + length);
        position += length;
        return slice;
    }

    public void end() {
        if (remaining() != 0) {
            throw corrupt("bytes are left over");
        }
    }

    public CorruptDataException corrupt(String why) {
        return new CorruptDataException(
                "stored bytes cannot be decoded, " + why, "what", what, "position", position, "bytes", source.length());
    }

    private void need(int bytes) {
        if (remaining() < bytes) {
            throw corrupt("they end too early");
        }
    }
}
