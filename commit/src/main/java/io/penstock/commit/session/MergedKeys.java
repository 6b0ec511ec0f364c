package io.penstock.commit.session;

import io.penstock.core.Bytes;
import io.penstock.core.record.Direction;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/** The entries of an index, and those still to be written for records whose writers did not know it. For one thread. */
public final class MergedKeys implements KeyScan {
    private final KeyScan stored;
    private final Iterator<Bytes> pending;
    private final int sign;

    /** The next of each that was not taken yet. */
    private @Nullable Bytes nextStored;

    private @Nullable Bytes nextPending;

    public MergedKeys(KeyScan stored, SortedSet<Bytes> pending, Direction direction) {
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
    public Bytes next() {
        Bytes first = hasNext() ? earlier(nextStored, nextPending) : null;
        if (first == null) {
            throw new NoSuchElementException();
        }
        nextStored = first.equals(nextStored) ? null : nextStored;
        nextPending = first.equals(nextPending) ? null : nextPending;
        return first;
    }

    private @Nullable Bytes earlier(@Nullable Bytes a, @Nullable Bytes b) {
        if (a == null || b == null) {
            return a == null ? b : a;
        }
        return a.compareTo(b) * sign <= 0 ? a : b;
    }

    @Override
    public void close() {
        stored.close();
    }
}
