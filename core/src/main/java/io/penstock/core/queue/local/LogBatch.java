package io.penstock.core.queue.local;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Entries that are written to a segment in one piece. For one thread. */
final class LogBatch {
    private static final int START_BYTES = 16 << 10;

    private final long segment;
    private final int start;
    private final long firstSequence;
    private final List<LogWrite> writes = new ArrayList<>();
    private final List<List<Place>> places = new ArrayList<>();
    private ByteBuffer bytes = ByteBuffer.allocate(START_BYTES);
    private long nextSequence;

    /** @param firstSequence of the next entry of the log, which goes to the end of {@code segment} */
    LogBatch(Segment segment, long firstSequence) {
        this.segment = segment.number();
        this.start = Math.toIntExact(segment.size());
        this.firstSequence = firstSequence;
        this.nextSequence = firstSequence;
    }

    /** Adds a change, unless that refuses to be written any more. */
    void add(LogWrite write) {
        List<LogEntry> entries;
        try {
            entries = write.entries();
        } catch (RuntimeException refused) {
            write.fail(refused);
            return;
        }
        List<Place> own = new ArrayList<>();
        for (LogEntry entry : entries) {
            own.add(add(entry));
        }
        writes.add(write);
        places.add(own);
    }

    /** Adds an entry and returns the place it will have. */
    Place add(LogEntry entry) {
        if (bytes.remaining() < entry.bytes()) {
            int grown = Math.max(2 * bytes.capacity(), bytes.position() + entry.bytes());
            bytes = ByteBuffer.allocate(grown).put(bytes.flip());
        }
        Place place = new Place(segment, start + bytes.position());
        entry.encode(bytes, place, nextSequence++);
        return place;
    }

    int size() {
        return bytes.position();
    }

    /** The sequence after its last entry. */
    long nextSequence() {
        return nextSequence;
    }

    boolean isEmpty() {
        return nextSequence == firstSequence;
    }

    ByteBuffer toWrite() {
        return bytes.duplicate().flip();
    }

    void succeed() {
        for (int i = 0; i < writes.size(); i++) {
            writes.get(i).succeed(places.get(i));
        }
    }

    List<LogWrite> writes() {
        return writes;
    }
}
