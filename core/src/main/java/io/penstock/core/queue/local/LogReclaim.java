package io.penstock.core.queue.local;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Frees the space of what is no longer needed: removes the oldest segment when nothing in it is needed, and writes the
 * rest of it anew when too much of the log is not. Always the oldest first, so that an entry is never gone before a
 * deletion that comes after it. Guarded by {@code QueueLog.committing}.
 */
record LogReclaim(QueueLog log, SegmentFiles files, QueueTable queues) {
    private static final Logger LOG = LoggerFactory.getLogger(LogReclaim.class);

    /** The segments whose bytes may lie idle beside as many as are needed. */
    private static final long IDLE_SEGMENTS = 2;

    /** The segments that there may be beside the full ones: each opening begins another. */
    private static final int SPARE_SEGMENTS = 8;

    /** Frees what can be freed at a bounded price. A failure costs space only. */
    void run() {
        Map<Long, Segment> segments = log.segments();
        try {
            if (segments.size() > 1 && isSparse() && !moveOn(log.oldest())) {
                return;
            }
            while (segments.size() > 1 && log.oldest().live() == 0) {
                log.removeOldest();
            }
        } catch (IOException e) {
            LOG.warn("space of the queues' log could not be freed; it is tried again", e);
        }
    }

    private boolean isSparse() {
        long bytes = 0;
        long live = 0;
        for (Segment segment : log.segments().values()) {
            bytes += segment.size();
            live += segment.live();
        }
        return bytes > 2 * live + IDLE_SEGMENTS * files.segmentBytes()
                || log.segments().size() > SPARE_SEGMENTS + 2 * bytes / files.segmentBytes();
    }

    /** Writes what is needed of a segment anew; false when that failed. */
    private boolean moveOn(Segment oldest) throws IOException {
        if (oldest.live() == 0) {
            return true;
        }
        byte[] bytes = files.read(oldest);
        int length = (int) Math.min(bytes.length, oldest.size());
        List<SegmentScan.Found> found = SegmentScan.of(bytes, length, oldest.number());
        SegmentFiles.Writer to = log.writer();
        LogBatch batch = new LogBatch(to.segment(), log.nextSequence());
        Map<HeldMessage, Place> moved = new HashMap<>();
        Map<QueueState, Place> movedQueues = moveQueues(oldest, batch);
        long whole = SegmentHeader.BYTES;
        for (SegmentScan.Found entry : found) {
            whole += entry.head().bytes();
            move(oldest, entry, batch, moved);
        }
        if (whole != length) {
            oldest.markDamaged();
        }
        if (!log.append(to, batch)) {
            return false;
        }
        moved.forEach((message, place) -> {
            message.place = place;
            log.needs(place, message.bytes());
        });
        movedQueues.forEach((queue, place) -> {
            queue.moved(place);
            log.needs(place, 2 * queue.entry().bytes());
        });
        oldest.needs(-oldest.live());
        return true;
    }

    private Map<QueueState, Place> moveQueues(Segment oldest, LogBatch batch) {
        Map<QueueState, Place> moved = new HashMap<>();
        for (QueueState queue : queues.all()) {
            if (queue.place().segment() == oldest.number()) {
                moved.put(queue, batch.add(queue.entry()));
                batch.add(queue.entry());
            }
        }
        return moved;
    }

    private void move(Segment oldest, SegmentScan.Found found, LogBatch batch, Map<HeldMessage, Place> moved) {
        LogEntry.Head head = found.head();
        QueueState queue = head.kind() == LogEntry.Kind.MESSAGE ? queues.find(head.queue()) : null;
        HeldMessage message = queue == null ? null : queue.message(head.number());
        if (message == null || !message.place.equals(found.place())) {
            return;
        }
        LogEntry entry = found.entry();
        if (entry == null) {
            oldest.markDamaged();
        } else {
            moved.put(message, batch.add(entry));
        }
    }
}
