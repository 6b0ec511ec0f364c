package io.penstock.commit.session;

import io.penstock.commit.index.IndexEntry;
import io.penstock.core.Bytes;
import io.penstock.core.record.Direction;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * The entries of an index, and those still to be written for records whose writers did not know it. Of two with one
 * key the latter counts: it includes nothing, so its record is read. For one thread.
 */
public final class MergedEntries implements EntryScan {
    private final EntryScan stored;
    private final Iterator<Bytes> pending;
    private final int sign;

    /** The next of each that was not taken yet. */
    private @Nullable IndexEntry nextStored;

    private @Nullable Bytes nextPending;

    public MergedEntries(EntryScan stored, SortedSet<Bytes> pending, Direction direction) {
        boolean ascending = direction == Direction.ASCENDING;
        List<Bytes> keys = new ArrayList<>(pending);
        this.stored = stored;
        this.pending = (ascending ? keys : keys.reversed()).iterator();
        this.sign = ascending ? 1 : -1;
    }

    @Override
    public boolean hasNext() {
        if (nextStored == null && stored.hasNext()) {
            nextStored = stored.next();
        }
        if (nextPending == null && pending.hasNext()) {
            nextPending = pending.next();
        }
        return nextStored != null || nextPending != null;
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

    @Override
    public void close() {
        stored.close();
    }
}
