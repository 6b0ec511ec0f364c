package io.penstock.core.queue.local;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The file of the {@link AckMark}. Guarded by {@code QueueLog.committing}. */
final class MarkFile implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MarkFile.class);

    private final SegmentFiles files;
    private final FileChannel channel;
    private int slot;

    private MarkFile(SegmentFiles files, FileChannel channel) {
        this.files = files;
        this.channel = channel;
    }

    /** Opens the file for writing, and gives it its length, so that no later write needs space. */
    static MarkFile open(SegmentFiles files, AckMark first) throws IOException {
        Path file = files.mark();
        MarkFile mark =
                new MarkFile(files, files.access().open(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE));
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
