package io.penstock.core.record;

import io.penstock.core.Bytes;
import io.penstock.core.Stamp;
import io.penstock.core.page.LeafRun;
import org.jspecify.annotations.Nullable;

/**
 * A lazy scan of the records and tombstones of a range in the order of their keys. After {@link #advance} it is
 * positioned on one entry, which the other methods describe. Each page it reads is as old as the pool's TTL allows.
 * There is no snapshot: a change made during the scan may be seen or not. For one thread; the methods that move it may
 * throw any {@link io.penstock.core.StoreException}. Closing ends it early; it holds no resource that must be released.
 */
public interface RecordCursor extends AutoCloseable {
    /** Moves to the next entry, initially the first; false when there is none. */
    boolean advance();

    /**
     * Moves past the next entries, as many as are at hand, and returns the live ones; the run is empty if they are all
     * tombstones. Null when there is no entry. The run is valid until the next move.
     */
    @Nullable
    LeafRun advanceRun();

    /**
     * Moves past the next entries as {@link #advanceRun()} does, but stops before {@code end}: the run is empty if the
     * next entry is not before it.
     */
    @Nullable
    LeafRun advanceRun(Bytes end);

    /** The key; possibly a slice that keeps a whole page alive. */
    Bytes key();

    boolean isTombstone();

    /** The payload, or the reference to it; possibly a slice that keeps a whole page alive; empty for a tombstone. */
    Bytes payload();

    /** Whether {@link #payload} is encoded {@link io.penstock.core.overflow.OverflowParts}. */
    boolean isReference();

    /** The entry's expiry, {@link io.penstock.core.page.Expiry#NEVER} for most and for a tombstone. */
    long expiryMillis();

    /** The entry as an object of its own. */
    RecordChange record();

    /** The time of the entry's stamp, as in {@link Stamp#time()}. */
    long time();

    /** Whether {@code stamp} is newer than the entry's. */
    boolean isOlderThan(Stamp stamp);

    /**
     * Hints that the caller will read at most {@code records} entries, so that those after them need not be fetched.
     */
    void expect(long records);

    /** Hints that the caller will read to the end of the range, so that all of it may be fetched from the start. */
    void expectAll();

    @Override
    void close();
}
