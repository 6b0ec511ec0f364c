package io.penstock.btree;

import io.penstock.core.Bytes;
import io.penstock.core.PageId;
import io.penstock.core.page.PageImage;
import io.penstock.core.pool.PageManager;
import io.penstock.core.record.Direction;
import io.penstock.core.record.KeyRange;
import io.penstock.core.record.PageIndex;
import io.penstock.core.task.MemoryLock;
import java.util.ArrayDeque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Fetches leaves before a scan needs them. Their numbers are in their parents, so their round trips overlap, where the
 * chain of siblings would make them sequential. {@link ReadaheadWindow} decides how many.
 *
 * <p>Whenever the scan finishes a leaf or a fetch completes, the next ones start; so one slow answer does not keep
 * others from being requested. The next parent is fetched before the leaves of this one end.
 *
 * <p>Shared by the scan's thread and the fetching tasks; its lock guards memory, and is not held while pages are
 * requested.
 */
final class LeafReadahead implements PageIndex.Readahead {
    private final PageManager pages;
    private final Descent descent;
    private final KeyRange range;
    private final Direction direction;

    private final MemoryLock lock = new MemoryLock();
    private final ReadaheadWindow window;

    /** Requested leaves that the scan has not passed, in its order. */
    private final ArrayDeque<Asked> asked = new ArrayDeque<>();

    /** Leaves and parents that were requested and have not arrived. */
    private int underWay;

    /** The position of the scan: the next leaf begins (ascending) or ends (descending) here. */
    private Bytes position = Bytes.EMPTY;

    /** Whether a leaf was not pooled. Until then there is no reason to look ahead. */
    private boolean missed;

    private @Nullable LeafRow row;

    /** The row after {@link #row}, once it was fetched. */
    private @Nullable LeafRow nextRow;

    private boolean findingRow;

    /** Whether a task is requesting pages now; it will see what changes meanwhile. */
    private boolean asking;

    /** Whether there is nothing left to request. */
    private boolean done;

    /** Whether the scan has ended. */
    private boolean closed;

    LeafReadahead(PageManager pages, Descent descent, KeyRange range, Direction direction, ReadaheadWindow window) {
        this.pages = pages;
        this.descent = descent;
        this.range = range;
        this.direction = direction;
        this.window = window;
    }

    /** A requested leaf; the lock guards {@code fetched}. */
    private static final class Asked {
        private final PageId id;
        private final Bytes low;
        private boolean fetched;

        Asked(PageId id, Bytes low) {
            this.id = id;
            this.low = low;
        }
    }

    @Override
    public void expect(long records) {
        lock.run(() -> window.expect(records));
    }

    @Override
    public void expectAll() {
        lock.run(() -> window.expectAll());
    }

    @Override
    public void coming(Bytes bound, boolean pooled, @Nullable PageImage passed) {
        PageId fetched = pass(bound, pooled, passed);
        if (fetched != null && !pages.isPooled(fetched)) {
            lose();
        }
        ask();
    }

    @Override
    public void close() {
        lock.run(() -> {
            closed = true;
            asked.clear();
            row = null;
            nextRow = null;
        });
    }

    /** The next leaf, if it was fetched ahead; otherwise null. */
    private @Nullable PageId pass(Bytes bound, boolean pooled, @Nullable PageImage passed) {
        return lock.with(() -> {
            if (passed != null) {
                window.use(passed.heapBytes(), passed.count());
            }
            missed |= !pooled;
            position = bound;
            while (!asked.isEmpty() && isPassed(asked.getFirst().low)) {
                asked.removeFirst();
            }
            Asked next = asked.peekFirst();
            return next != null && next.fetched ? next.id : null;
        });
    }

    /** Notes that a leaf that was fetched ahead is gone when its turn comes. The others are most likely gone too. */
    private void lose() {
        lock.run(() -> {
            window.lose();
            asked.clear();
            row = null;
            nextRow = null;
            done = false;
        });
    }

    private boolean isPassed(Bytes low) {
        return direction == Direction.ASCENDING ? low.compareTo(position) < 0 : low.compareTo(position) >= 0;
    }

    /** Requests as many pages as allowed, one task at a time. */
    private void ask() {
        lock.lock();
        try {
            if (asking || !missed) {
                return;
            }
            asking = true;
        } finally {
            lock.unlock();
        }
        for (Runnable step = step(); step != null; step = step()) {
            step.run();
        }
    }

    /** The next request; null, which ends the requesting, when there is none. */
    private @Nullable Runnable step() {
        return lock.with(() -> {
            Runnable step = closed || done || window.more(underWay, asked.size()) == 0 ? null : next();
            underWay += step == null ? 0 : 1;
            asking = step != null;
            return step;
        });
    }

    private @Nullable Runnable next() {
        LeafRow from = currentRow();
        if (from == null) {
            return done || findingRow ? null : findRow(position);
        }
        Bytes end = from.end();
        if (end != null && nextRow == null && !findingRow && from.left() <= window.ahead()) {
            return findRow(end);
        }
        if (from.left() == 0) {
            return null;
        }
        Bytes low = from.nextLow();
        Asked leaf = new Asked(from.next(), low);
        asked.addLast(leaf);
        return () -> {
            if (!pages.prefetch(leaf.id, fetched -> ended(leaf, fetched))) {
                ended(leaf, true);
            }
        };
    }

    /**
     * The row with the next leaf, or one whose successor is being fetched; null when it must be searched from the root.
     */
    private @Nullable LeafRow currentRow() {
        while (row != null) {
            while (row.left() > 0 && isPassed(row.nextLow())) {
                row.next();
            }
            if (row.left() > 0) {
                return row;
            }
            Bytes end = row.end();
            if (end == null) {
                done = true;
                return null;
            }
            if (nextRow == null && !isEndPassed(end)) {
                return row;
            }
            row = nextRow;
            nextRow = null;
        }
        return null;
    }

    private boolean isEndPassed(Bytes end) {
        return direction == Direction.ASCENDING ? end.compareTo(position) < 0 : end.compareTo(position) > 0;
    }

    private Runnable findRow(Bytes from) {
        findingRow = true;
        return () -> pages.readAhead("parent", () -> foundRow(from, parent(from)), this::endedRow);
    }

    private Optional<Descent.Found> parent(Bytes from) {
        return direction == Direction.ASCENDING ? descent.to(from, 1) : descent.before(from, 1);
    }

    private void foundRow(Bytes from, Optional<Descent.Found> parent) {
        lock.run(() -> {
            LeafRow found = parent.map(page -> new LeafRow(page, from, range, direction))
                    .orElse(null);
            done |= found == null;
            if (row != null) {
                nextRow = found;
            } else if (isEndPassed(from) || from.equals(position)) {
                row = found;
            }
        });
    }

    private void endedRow(boolean found) {
        lock.run(() -> {
            underWay--;
            findingRow = false;
            // The scan will see the failure too, and reports it.
            done |= !found;
        });
        ask();
    }

    private void ended(Asked leaf, boolean fetched) {
        lock.run(() -> {
            underWay--;
            leaf.fetched = fetched;
        });
        if (fetched) {
            ask();
        }
    }

    /** The leaves below one parent in the order of a scan, up to the end of its range. Not thread-safe. */
    private static final class LeafRow {
        private final PageImage parent;
        private final Bytes low;
        private final boolean ascending;

        /** The child after the last one, in the order of the scan. */
        private final int stop;

        private final @Nullable Bytes end;
        private int at;

        /** @param from the bound where the first leaf begins (ascending) or ends (descending) */
        LeafRow(Descent.Found parent, Bytes from, KeyRange range, Direction direction) {
            this.parent = parent.page().image();
            this.low = parent.low();
            this.ascending = direction == Direction.ASCENDING;
            Bytes to = range.to();
            if (ascending) {
                at = this.parent.childFor(from);
                stop = to == null ? this.parent.count() : this.parent.firstAtLeast(to);
                Bytes high = this.parent.header().highKey();
                end = high == null || to != null && high.compareTo(to) >= 0 ? null : high;
            } else {
                at = this.parent.childBefore(from);
                stop = this.parent.childFor(range.from()) - 1;
                end = low.compareTo(range.from()) <= 0 ? null : low;
            }
        }

        /** The number of leaves left. */
        int left() {
            return Math.max(0, ascending ? stop - at : at - stop);
        }

        /** The lower bound of the next leaf. */
        Bytes nextLow() {
            Bytes separator = parent.key(at);
            return separator.compareTo(low) > 0 ? separator : low;
        }

        PageId next() {
            PageId leaf = new PageId(parent.id().tree(), parent.child(at));
            at += ascending ? 1 : -1;
            return leaf;
        }

        /** The bound where the row continues below the next parent; null when the range or the tree ends here. */
        @Nullable
        Bytes end() {
            return end;
        }
    }
}
