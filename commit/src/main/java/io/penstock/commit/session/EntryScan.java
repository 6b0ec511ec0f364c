package io.penstock.commit.session;

import io.penstock.commit.index.IndexEntry;
import io.penstock.core.Bytes;
import io.penstock.core.page.LeafRun;
import io.penstock.core.record.Direction;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * The live entries of an index in their order, or against it: the records of its tree, and the entries that are still
 * to be written for records whose writers did not know the index. Of two with one key the latter counts: it includes
 * nothing, so its record is read. For one thread; close it when done.
 */
public final class EntryScan implements Iterator<IndexEntry>, AutoCloseable {
    private final RecordScan records;
    private final Iterator<Bytes> pending;
    private final int sign;
    private @Nullable LeafRun run;

    /** The next of each that was not taken yet. */
    private @Nullable IndexEntry nextStored;

    private @Nullable Bytes nextPending;

    /** @param records of the index's tree, in this direction; closed with this */
    public EntryScan(RecordScan records, SortedSet<Bytes> pending, Direction direction) {
        boolean ascending = direction == Direction.ASCENDING;
        this.records = records;
        this.pending = (ascending ? pending : pending.reversed()).iterator();
        this.sign = ascending ? 1 : -1;
    }

    @Override
    public boolean hasNext() {
        if (nextStored == null) {
            nextStored = nextStored();
        }
        if (nextPending == null && pending.hasNext()) {
            nextPending = pending.next();
        }
        return nextStored != null || nextPending != null;
    }

    private @Nullable IndexEntry nextStored() {
        if (run == null || run.left() == 0) {
            run = null;
            run = records.advance();
        }
        if (run == null) {
            return null;
        }
        run.next();
        Bytes included = run.payload();
        return new IndexEntry(run.key(), included, included.isEmpty() ? null : run.stamp());
    }

    @Override
    public IndexEntry next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        IndexEntry entry = nextStored;
        Bytes noted = nextPending;
        if (noted == null || entry != null && entry.key().compareTo(noted) * sign < 0) {
            nextStored = null;
            return Objects.requireNonNull(entry);
        }
        nextPending = null;
        nextStored = entry != null && entry.key().equals(noted) ? null : entry;
        return new IndexEntry(noted);
    }

    /** All entries will be read: a hint. */
    public void expectAll() {
        records.expectAll();
    }

    @Override
    public void close() {
        records.close();
    }
}
