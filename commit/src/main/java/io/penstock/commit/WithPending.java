package io.penstock.commit;

import io.penstock.commit.session.LiveRecords;
import io.penstock.core.Bytes;
import io.penstock.core.record.Direction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/** The entries of an index, and those still to be written for records whose writers did not know it. For one thread. */
final class WithPending implements LiveRecords {
    private final LiveRecords stored;
    private final Iterator<Bytes> pending;
    private final Comparator<Bytes> order;
    private @Nullable Live nextStored;
    private @Nullable Bytes nextPending;

    WithPending(LiveRecords stored, SortedSet<Bytes> pending, Direction direction) {
        boolean ascending = direction == Direction.ASCENDING;
        List<Bytes> keys = new ArrayList<>(pending);
        this.stored = stored;
        this.pending = (ascending ? keys : keys.reversed()).iterator();
        this.order = ascending ? Comparator.naturalOrder() : Comparator.reverseOrder();
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
    public Live next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        Live live = nextStored;
        Bytes key = nextPending;
        if (live == null || key != null && order.compare(key, live.key()) < 0) {
            nextPending = null;
            return new Live(Objects.requireNonNull(key), Bytes.EMPTY);
        }
        nextStored = null;
        if (live.key().equals(key)) {
            nextPending = null;
        }
        return live;
    }

    @Override
    public void close() {
        stored.close();
    }
}
