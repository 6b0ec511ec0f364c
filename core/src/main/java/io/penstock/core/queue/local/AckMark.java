package io.penstock.core.queue.local;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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

    /** The file of the {@link AckMark}. Guarded by {@code QueueLog.committing}. */
    static final class File implements AutoCloseable {
        private static final Logger LOG = LoggerFactory.getLogger(File.class);

        private final SegmentFiles files;
        private final FileChannel channel;
        private int slot;

        private File(SegmentFiles files, FileChannel channel) {
            this.files = files;
            this.channel = channel;
        }

        /** Opens the file for writing, and gives it its length, so that no later write needs space. */
        static File open(SegmentFiles files, AckMark first) throws IOException {
            Path file = files.mark();
            File mark = new File(files, files.access().open(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE));
            try {
                mark.flush(first);
                return mark;
            } catch (IOException failure) {
                mark.channel.close();
                throw failure;
            }
        }

        /** The mark in the directory; null when there is none, or none that can be read. */
        static @Nullable AckMark read(SegmentFiles files) throws IOException {
            Path file = files.mark();
            return Files.exists(file) ? AckMark.decode(files.read(file, 0, AckMark.SLOTS * AckMark.SLOT_BYTES)) : null;
        }

        /** Notes what was acknowledged. A failure is no more than a warning: the log itself is whole. */
        void note(AckMark mark) {
            try {
                write(mark);
            } catch (IOException e) {
                LOG.warn("the mark of the queues' log could not be written; damage at its end may go unseen", e);
            }
        }

        /** Notes it durably, in all slots: whatever is torn later, one of them stays. */
        void flush(AckMark mark) throws IOException {
            for (int i = 0; i < AckMark.SLOTS; i++) {
                write(mark);
            }
            files.flush(channel);
        }

        private void write(AckMark mark) throws IOException {
            slot = (slot + 1) % AckMark.SLOTS;
            SegmentFiles.write(channel, mark.encode(), (long) slot * AckMark.SLOT_BYTES);
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
