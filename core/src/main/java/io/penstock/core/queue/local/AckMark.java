package io.penstock.core.queue.local;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The position up to which the queues' log was acknowledged: it distinguishes an end that a crash tore off from one
 * that was damaged later. Written after each flush of the log and not flushed itself, so after a power cut it may be
 * old, but never too new. It has two slots that take turns, big-endian: magic "PSQA", sequence 8 bytes, oldest segment
 * 8, CRC32C 4.
 *
 * @param sequence the newest entry that was acknowledged; -1 for none
 * @param oldest the oldest segment that is still needed
 */
record AckMark(long sequence, long oldest) {
    /** The distance between two slots, in bytes. */
    static final int SLOT_BYTES = 64;

    static final int SLOTS = 2;

    private static final int MAGIC = 0x50535141;
    private static final int BYTES = 24;

    ByteBuffer encode() {
        ByteBuffer out = ByteBuffer.allocate(BYTES);
        out.putInt(MAGIC).putLong(sequence).putLong(oldest);
        out.putInt(sum(out.array(), 0));
        return out.flip();
    }

    /** The newer of the slots that are whole; null when none is. */
    static @Nullable AckMark decode(byte[] file) {
        AckMark newest = null;
        for (int at = 0; at + BYTES <= file.length; at += SLOT_BYTES) {
            ByteBuffer in = ByteBuffer.wrap(file, at, BYTES);
            boolean isMark = in.getInt() == MAGIC;
            AckMark mark = new AckMark(in.getLong(), in.getLong());
            boolean isWhole = isMark && in.getInt() == sum(file, at);
            if (isWhole && (newest == null || newest.isBefore(mark))) {
                newest = mark;
            }
        }
        return newest;
    }

    private boolean isBefore(AckMark other) {
        return sequence < other.sequence || sequence == other.sequence && oldest < other.oldest;
    }

    private static int sum(byte[] bytes, int at) {
        CRC32C sum = new CRC32C();
        sum.update(bytes, at, BYTES - Integer.BYTES);
        return (int) sum.getValue();
    }
}
