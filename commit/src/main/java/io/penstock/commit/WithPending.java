package io.penstock.commit;

import io.penstock.commit.session.LayeredScan;
import io.penstock.core.Bytes;
import io.penstock.core.record.Direction;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/** The entries of an index, and those still to be written for records whose writers did not know it. For one thread. */
final class WithPending {
    private final LayeredScan stored;
    private final Iterator<Bytes> pending;
    private final int sign;
    private @Nullable Bytes nextStored;
    private @Nullable Bytes nextPending;
    private Bytes key = Bytes.EMPTY;

    /** @param pending entries within the range of {@code stored} */
    WithPending(LayeredScan stored, SortedSet<Bytes> pending, Direction direction) {
        List<Bytes> keys = new ArrayList<>(pending);
        this.stored = stored;
        this.pending = (direction == Direction.ASCENDING ? keys : keys.reversed()).iterator();
        this.sign = direction == Direction.ASCENDING ? 1 : -1;
    }

    LayeredScan stored() {
        return stored;
    }

    /** Goes to the next entry, at first to the first; false when there is none. */
    boolean advance() {
        if (nextStored == null && stored.advance()) {
            nextStored = stored.key();
        }
        if (nextPending == null && pending.hasNext()) {
            nextPending = pending.next();
        }
        Bytes first = first(nextStored, nextPending);
        if (first == null) {
            return false;
        }
        key = first;
        nextStored = first.equals(nextStored) ? null : nextStored;
        nextPending = first.equals(nextPending) ? null : nextPending;
        return true;
    }

    private @Nullable Bytes first(@Nullable Bytes a, @Nullable Bytes b) {
        if (a == null || b == null) {
            return a == null ? b : a;
        }
        return a.compareTo(b) * sign <= 0 ? a : b;
    }

    /** The key of the entry that this stands on. */
    Bytes key() {
        return key;
    }
}
