package io.penstock.commit.protocol;

import io.penstock.commit.log.LogRecord;
import io.penstock.core.Stamp;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A transaction on its way to the pages: its log records, and where in the PU queues they are, once they are there.
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

    public Stamp stamp() {
        return stamp;
    }

    /** Sorted by tree and key. */
    public List<LogRecord> records() {
        return records;
    }

    /** Where the records are, or null while they are not all in PU queues. */
    public @Nullable List<Position> positions() {
        return positions;
    }

    void sentTo(List<Position> where) {
        positions = List.copyOf(where);
    }

    /** Bytes of keys and payloads. */
    public long bytes() {
        long bytes = 0;
        for (LogRecord record : records) {
            bytes += record.change().bytes();
        }
        return bytes;
    }
}
