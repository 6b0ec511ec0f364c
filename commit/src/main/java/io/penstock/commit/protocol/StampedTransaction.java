package io.penstock.commit.protocol;

import io.penstock.commit.log.LogRecord;
import io.penstock.commit.queue.Position;
import io.penstock.core.Stamp;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A transaction on its way to the pages: its log records and, once they were sent, their positions in the PU queues.
 * Safe for use by many threads.
 */
public final class StampedTransaction {
    private final Stamp stamp;
    private final List<LogRecord> records;
    private volatile @Nullable List<Position> positions;

    /** @param records sorted by tree and key */
    public StampedTransaction(Stamp stamp, List<LogRecord> records) {
        this.stamp = stamp;
        this.records = List.copyOf(records);
    }

    /** A transaction that another client has sent. */
    public StampedTransaction(Stamp stamp, List<LogRecord> records, List<Position> positions) {
        this(stamp, records);
        sentTo(positions);
    }

    public Stamp stamp() {
        return stamp;
    }

    /** The log records, sorted by tree and key. */
    public List<LogRecord> records() {
        return records;
    }

    /** The positions of the records, or null until all of them are in PU queues. */
    public @Nullable List<Position> positions() {
        return positions;
    }

    final void sentTo(List<Position> where) {
        positions = List.copyOf(where);
    }

    /** The bytes of all keys and payloads. */
    public long bytes() {
        long bytes = 0;
        for (LogRecord record : records) {
            bytes += record.change().bytes();
        }
        return bytes;
    }
}
