package io.penstock.core.queue.local;

import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The first bytes of a segment of the queues' log, big-endian: magic "PSQL", format 4 bytes, number 8, first sequence
 * 8, CRC32C 4 of all before it.
 *
 * @param number the segment's, also its name
 * @param firstSequence the sequence of its first entry. Entries of earlier segments from this number on were never
 *     acknowledged: their write failed, and the log was continued here
 */
record SegmentHeader(long number, long firstSequence) {
    static final int BYTES = 28;

    private static final int MAGIC = 0x5053514c;
    private static final int FORMAT = 1;

    ByteBuffer encode() {
        ByteBuffer out = ByteBuffer.allocate(BYTES);
        out.putInt(MAGIC).putInt(FORMAT).putLong(number).putLong(firstSequence);
        out.putInt(sum(out.array()));
        return out.flip();
    }

    /** The header of segment {@code number}; null when it is damaged, cut off, or that of another segment. */
    static @Nullable SegmentHeader decode(byte[] bytes, int length, long number) {
        if (length < BYTES) {
            return null;
        }
        ByteBuffer in = ByteBuffer.wrap(bytes, 0, BYTES);
        int magic = in.getInt();
        int format = in.getInt();
        SegmentHeader header = new SegmentHeader(in.getLong(), in.getLong());
        if (magic != MAGIC || in.getInt() != sum(bytes) || header.number != number) {
            return null;
        }
        if (format != FORMAT) {
            throw new CorruptDataException(
                    ErrorCode.OTHER_RELEASE,
                    "a segment of the queues' log has an unknown format; open it with the release that wrote it",
                    "segment",
                    number,
                    "format",
                    format);
        }
        return header;
    }

    private static int sum(byte[] bytes) {
        CRC32C sum = new CRC32C();
        sum.update(bytes, 0, BYTES - Integer.BYTES);
        return (int) sum.getValue();
    }
}
