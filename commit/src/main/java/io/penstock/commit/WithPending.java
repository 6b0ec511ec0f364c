package io.penstock.commit;

import io.penstock.commit.session.LiveRecords;
import io.penstock.core.Bytes;
import io.penstock.core.record.Direction;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/** The entries of an index, and those still to be written for records whose writers did not know it. For one thread. */
final class WithPending implements LiveRecords {
    private final LiveRecords stored;
    private final Iterator<Bytes> pending;
    private final int sign;

    /** The next of each that was not taken yet. */
    private @Nullable Bytes nextStored;

    private @Nullable Bytes nextPending;
    private Bytes key = Bytes.EMPTY;

    WithPending(LiveRecords stored, SortedSet<Bytes> pending, Direction direction) {
        boolean ascending = direction == Direction.ASCENDING;
        List<Bytes> keys = new ArrayList<>(pending);
        this.stored = stored;
        this.pending = (ascending ? keys : keys.reversed()).iterator();
        this.sign = ascending ? 1 : -1;
    }

    @Override
    public boolean advance() {
        if (nextStored == null && stored.advance()) {
            nextStored = stored.key();
        }
        if (nextPending == null && pending.hasNext()) {
            nextPending = pending.next();
        }
        Bytes first = earlier(nextStored, nextPending);
        if (first == null) {
            return false;
        }
        key = first;
        nextStored = first.equals(nextStored) ? null : nextStored;
        nextPending = first.equals(nextPending) ? null : nextPending;
        return true;
    }

    private @Nullable Bytes earlier(@Nullable Bytes a, @Nullable Bytes b) {
        if (a == null || b == null) {
            return a == null ? b : a;
        }
        return a.compareTo(b) * sign <= 0 ? a : b;
    }

    @Override
    public Bytes key() {
        return key;
    }

    /** Entries of an index have none. */
    @Override
    public Bytes payload() {
        return Bytes.EMPTY;
    }

    @Override
    public boolean isReference() {
        return false;
    }

    @Override
    public void expect(long records) {
        stored.expect(records);
    }

    @Override
    public void close() {
        stored.close();
    }
}
