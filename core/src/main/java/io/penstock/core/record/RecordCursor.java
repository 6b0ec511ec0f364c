package io.penstock.core.record;

import io.penstock.core.Bytes;
import io.penstock.core.Stamp;

/**
 * A lazy walk through the records and tombstones of a range in the order of their keys: what {@link RecordScan} is,
 * without an object for each record. It stands on one entry at a time, and all but {@link #advance} and {@link #close}
 * are about that one. For one thread; {@link #advance} may throw any {@link io.penstock.core.StoreException}.
 */
public interface RecordCursor extends AutoCloseable {
    /** Goes to the next entry, at first to the first; false when there is none. */
    boolean advance();

    /** The key, perhaps a slice that keeps a whole page alive. */
    Bytes key();

    boolean isTombstone();

    /** The payload, or the reference to it, perhaps a slice that keeps a whole page alive; empty for a tombstone. */
    Bytes payload();

    /** Whether {@link #payload} is an encoded {@link io.penstock.core.overflow.OverflowReference}. */
    boolean isReference();

    /** The time of the entry's stamp, as in {@link Stamp#time()}. */
    long time();

    /** Whether {@code stamp} is newer than the entry's. */
    boolean isOlderThan(Stamp stamp);

    /** Remembers the entry for {@link #markedKey}. */
    void mark();

    boolean isMarked();

    /** The key of the entry that was marked last, wherever the walk is by now; in an array of its own. */
    Bytes markedKey();

    /** Nobody will go further than so many entries: what lies behind them need not be fetched. A hint. */
    void expect(long records);

    @Override
    void close();
}
