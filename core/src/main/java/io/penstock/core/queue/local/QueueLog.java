package io.penstock.core.queue.local;

import io.penstock.core.Bytes;
import io.penstock.core.ClosedException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.UnavailableException;
import io.penstock.core.disk.DiskFailure;
import io.penstock.core.task.Permits;
import io.penstock.core.task.Tasks;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The log of all queues: segments to which entries are appended, oldest first. Changes that arrive while others are
 * written share the next write. A write that fails is taken back and the log goes on in a new segment, so a full disk
 * is over when there is space again. Segments that nothing needs any more are removed, oldest first.
 *
 * <p>Its methods run where no interrupt reaches them: an interrupt would close the file. Safe for use by many threads.
 */
final class QueueLog {
    /** The most bytes in one write, but for its last change. */
    private static final int BATCH_BYTES = 4 << 20;

    /** The longest wait of a deletion for a write that it can share. */
    private static final Duration WRITE_SOON = Duration.ofMillis(50);

    private final SegmentFiles files;
    private final Tasks tasks;
    private final AckMark.File mark;
    /** The permit held for each write: it protects all that follows, but for {@link #pending}. */
    private final Permits committing;

    private final ConcurrentLinkedQueue<LogWrite> pending = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean writeIsDue = new AtomicBoolean();
    private final ConcurrentNavigableMap<Long, Segment> segments = new ConcurrentSkipListMap<>();
    private volatile @Nullable LogReclaim reclaim;
    private SegmentFiles.@Nullable Writer writer;
    private long nextSequence;
    private boolean closed;

    QueueLog(SegmentFiles files, Tasks tasks, LogReader found) throws IOException {
        this.files = files;
        this.tasks = tasks;
        this.committing = new Permits(tasks, 1);
        this.segments.putAll(found.segments());
        this.nextSequence = found.replay().nextSequence();
        this.mark = AckMark.File.open(files, currentMark());
    }

    /** Begins to free the space of messages that {@code queues} do not need. */
    void reclaimBehind(QueueTable queues) {
        reclaim = new LogReclaim(this, files, queues);
    }

    private AckMark currentMark() {
        return new AckMark(nextSequence - 1, segments.isEmpty() ? 0 : segments.firstKey());
    }

    /**
     * Returns when {@code mine} is as durable as asked.
     *
     * @throws UnavailableException when it was not written and will not be: the disk is full, say
     * @throws OutcomeUnknownException when it could neither be written nor be taken back
     */
    void write(LogWrite mine) {
        pending.add(mine);
        committing.run(() -> {
            while (!mine.isDone()) {
                writeNext();
            }
        });
        mine.check();
    }

    /** Writes {@code mine} with the next other write, or within {@link #WRITE_SOON}, without waiting. */
    void writeSoon(LogWrite mine) {
        pending.add(mine);
        if (writeIsDue.compareAndSet(false, true)) {
            tasks.start("write deletions", () -> {
                tasks.sleep(WRITE_SOON);
                writeIsDue.set(false);
                committing.run(this::writePending);
            });
        }
    }

    private void writePending() {
        boolean goOn = !closed;
        while (goOn && !pending.isEmpty()) {
            goOn = writeNext();
        }
    }

    /** Writes what is pending, up to a batch; false when that failed. */
    private boolean writeNext() {
        if (closed) {
            failAll(QueueLog::closed);
            return false;
        }
        SegmentFiles.Writer to;
        try {
            to = writer();
        } catch (IOException e) {
            failAll(() -> notWritten(e));
            return false;
        }
        LogBatch batch = new LogBatch(to.segment(), nextSequence);
        while (batch.size() < BATCH_BYTES && !pending.isEmpty()) {
            batch.add(pending.remove());
        }
        if (!append(to, batch)) {
            return false;
        }
        batch.succeed();
        LogReclaim after = reclaim;
        if (after != null) {
            after.run();
        }
        return true;
    }

    /** The newest segment, or a new one if that is full or its last write failed. */
    SegmentFiles.Writer writer() throws IOException {
        SegmentFiles.Writer newest = writer;
        if (newest != null && newest.segment().size() < files.segmentBytes()) {
            return newest;
        }
        long number = segments.isEmpty() ? 0 : segments.lastKey() + 1;
        SegmentFiles.Writer made = files.create(new SegmentHeader(number, nextSequence));
        segments.put(number, made.segment());
        writer = made;
        if (newest != null) {
            newest.close();
        }
        return made;
    }

    /** Appends a batch; false when that failed and its writers were notified. */
    boolean append(SegmentFiles.Writer to, LogBatch batch) {
        if (batch.isEmpty()) {
            return true;
        }
        try {
            to.append(batch.toWrite());
        } catch (IOException e) {
            writer = null;
            Supplier<RuntimeException> failure = takeBack(to, e);
            batch.writes().forEach(write -> fail(write, failure));
            return false;
        }
        nextSequence = batch.nextSequence();
        mark.note(currentMark());
        return true;
    }

    private Supplier<RuntimeException> takeBack(SegmentFiles.Writer to, IOException cause) {
        try {
            to.takeBack();
            return () -> notWritten(cause);
        } catch (IOException again) {
            cause.addSuppressed(again);
            return () -> new OutcomeUnknownException(
                    "a write of queues failed in the middle; repeat it", cause, "directory", files.directory());
        }
    }

    private RuntimeException notWritten(IOException cause) {
        return DiskFailure.of("a change of queues was not written", cause, "directory", files.directory());
    }

    private void failAll(Supplier<RuntimeException> failure) {
        List<LogWrite> all = new ArrayList<>();
        for (LogWrite write = pending.poll(); write != null; write = pending.poll()) {
            all.add(write);
        }
        all.forEach(write -> fail(write, failure));
    }

    private void fail(LogWrite write, Supplier<RuntimeException> failure) {
        if (write.isPatient() && !closed) {
            pending.add(write);
        } else {
            write.fail(failure.get());
        }
    }

    /** Counts an entry as needed. To be called by a {@link LogWrite} that was written. */
    void needs(Place place, int bytes) {
        Segment segment = segments.get(place.segment());
        if (segment != null) {
            segment.needs(bytes);
        }
    }

    /** Whether the segment of a place is still there. */
    boolean has(Place place) {
        return segments.containsKey(place.segment());
    }

    Map<Long, Segment> segments() {
        return segments;
    }

    Segment oldest() {
        return segments.values().iterator().next();
    }

    /** Removes the oldest segment, of which nothing is needed. */
    void removeOldest() throws IOException {
        Segment oldest = oldest();
        long next = segments.tailMap(oldest.number(), false).firstKey();
        mark.flush(new AckMark(nextSequence - 1, next));
        files.remove(oldest);
        segments.remove(oldest.number());
    }

    long nextSequence() {
        return nextSequence;
    }

    /** The body of a message; null when it is damaged: then it is set aside. */
    @Nullable
    Bytes read(long queue, HeldMessage message) {
        while (true) {
            Place place = message.place;
            Segment segment = segments.get(place.segment());
            try {
                byte[] bytes =
                        segment == null ? new byte[0] : files.read(segment.file(), place.offset(), message.bytes());
                LogEntry.Head head = LogEntry.Head.decode(bytes, 0, bytes.length, place.segment(), place.offset());
                if (head != null
                        && bytes.length == head.bytes()
                        && head.queue() == queue
                        && head.number() == message.number()) {
                    LogEntry entry = head.withBody(bytes, 0);
                    return entry == null ? null : entry.body();
                }
            } catch (NoSuchFileException moved) {
                // Looked for again below.
            } catch (IOException e) {
                throw new UnavailableException(
                        "a message cannot be read; see the cause, then retry", e, "segment", place.segment());
            }
            if (message.place.equals(place)) {
                return null;
            }
        }
    }

    /** Writes what is pending and closes the files. */
    void close() {
        committing.run(() -> {
            if (!closed) {
                writePending();
                closed = true;
                failAll(QueueLog::closed);
                closeFiles();
            }
        });
    }

    private void closeFiles() {
        try (mark) {
            mark.flush(currentMark());
            if (writer != null) {
                writer.close();
            }
        } catch (IOException e) {
            throw new UnavailableException(
                    "the queues' log could not be closed; all that was acknowledged is in it",
                    e,
                    "directory",
                    files.directory());
        }
    }

    private static ClosedException closed() {
        return new ClosedException("the queue service was closed; open it again");
    }

    /** Keeps the segment of a damaged message, and describes it. */
    String damaged(String queue, HeldMessage message) {
        Place place = message.place;
        Segment segment = segments.get(place.segment());
        if (segment != null) {
            segment.markDamaged();
        }
        return "a message is damaged and set aside queue=" + queue + " number=" + message.number() + " segment="
                + place.segment() + " offset=" + place.offset();
    }
}
