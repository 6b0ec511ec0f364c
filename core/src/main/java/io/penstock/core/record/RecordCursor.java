package io.penstock.core.record;

import io.penstock.core.Bytes;
import io.penstock.core.Stamp;
import io.penstock.core.page.LeafRun;
import org.jspecify.annotations.Nullable;

/**
 * A lazy walk through the records and tombstones of a range in the order of their keys: what {@link TreeScan} is,
 * without an object for each record. After {@link #advance} it stands on one entry, and all but the steps and {@link
 * #close} are about that one. For one thread; the steps may throw any {@link io.penstock.core.StoreException}.
 */
public interface RecordCursor extends AutoCloseable {
    /** Goes to the next entry, at first to the first; false when there is none. */
    boolean advance();

    /**
     * Goes behind the entries that follow, as many as one look shows, and gives those that live; there may be none but
     * tombstones. Null when there is no entry. The run is of use until the next step.
     */
    @Nullable
    LeafRun advanceRun();

    /** As {@link #advanceRun}, but stops before {@code end}: an empty run if the next entry is there, or behind. */
    @Nullable
    LeafRun advanceRun(Bytes end);

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

    /** Nobody will go further than so many entries: what lies behind them need not be fetched. A hint. */
    void expect(long records);

    /** Somebody will go to the end of the range: what lies there may be fetched from the first step on. A hint. */
    void expectAll();

    @Override
    void close();
}
