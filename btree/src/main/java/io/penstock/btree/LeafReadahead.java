package io.penstock.btree;

import io.penstock.core.Bytes;
import io.penstock.core.PageId;
import io.penstock.core.page.PageImage;
import io.penstock.core.pool.PageManager;
import io.penstock.core.record.Direction;
import io.penstock.core.record.KeyRange;
import io.penstock.core.record.PageIndex;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Fetches leaves before a scan comes to them: their numbers stand in their parents, so their round trips overlap, where
 * the chain of siblings would make them follow each other. How many, {@link ReadaheadWindow} decides.
 *
 * <p>Whenever the scan is through with a leaf or a fetch ends, the next ones begin; so a scan that waits for one slow
 * answer does not keep others from being asked for. The next parent is fetched before the leaves of this one end.
 *
 * <p>The scan's thread and the tasks that fetch share it; its lock guards memory, and is not held while pages are asked
 * for.
 */
final class LeafReadahead implements PageIndex.Readahead {
    private final PageManager pages;
    private final Descent descent;
    private final KeyRange range;
    private final Direction direction;

    private final ReentrantLock lock = new ReentrantLock();
    private final ReadaheadWindow window;

    /** Leaves asked for that the scan has not passed, in its order. */
    private final ArrayDeque<Asked> asked = new ArrayDeque<>();

    /** Leaves and parents that were asked for and did not come yet. */
    private int underWay;

    /** Where the scan is: the next leaf begins (ascending) or ends (descending) here. */
    private Bytes position = Bytes.EMPTY;

    /** Whether there was a leaf that was not pooled: before that, a look for those ahead would be in vain. */
    private boolean missed;

    private @Nullable LeafRow row;

    /** What follows {@link #row}, once it was fetched. */
    private @Nullable LeafRow nextRow;

    private boolean findingRow;

    /** Whether somebody asks for pages just now, and will see what has changed meanwhile. */
    private boolean asking;

    /** Whether nothing is left to ask for. */
    private boolean done;

    /** Whether nobody is left to use it. */
    private boolean closed;

    LeafReadahead(PageManager pages, Descent descent, KeyRange range, Direction direction, ReadaheadWindow window) {
        this.pages = pages;
        this.descent = descent;
        this.range = range;
        this.direction = direction;
        this.window = window;
    }

    /** A leaf that was asked for; the lock guards {@code fetched}. */
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
        lock.lock();
        try {
            window.expect(records);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void expectAll() {
        lock.lock();
        try {
            window.expectAll();
        } finally {
            lock.unlock();
        }
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
        lock.lock();
        try {
            closed = true;
            asked.clear();
            row = null;
            nextRow = null;
        } finally {
            lock.unlock();
        }
    }

    /** The next leaf, if it was fetched ahead; else null. */
    private @Nullable PageId pass(Bytes bound, boolean pooled, @Nullable PageImage passed) {
        lock.lock();
        try {
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
        } finally {
            lock.unlock();
        }
    }

    /** A leaf that was fetched is not there when its turn comes. The others have most likely gone, too. */
    private void lose() {
        lock.lock();
        try {
            window.lose();
            asked.clear();
            row = null;
            nextRow = null;
            done = false;
        } finally {
            lock.unlock();
        }
    }

    private boolean isPassed(Bytes low) {
        return direction == Direction.ASCENDING ? low.compareTo(position) < 0 : low.compareTo(position) >= 0;
    }

    /** Asks for as many pages as may be, one task at a time. */
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

    /** What to ask for next; null, and nobody asks any more, when there is nothing. */
    private @Nullable Runnable step() {
        lock.lock();
        try {
            Runnable step = closed || done || window.more(underWay, asked.size()) == 0 ? null : next();
            underWay += step == null ? 0 : 1;
            asking = step != null;
            return step;
        } finally {
            lock.unlock();
        }
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

    /** The row that has the next leaf, or whose successor is on its way; null when it has to be found anew. */
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
        lock.lock();
        try {
            LeafRow found = parent.map(page -> new LeafRow(page, from, range, direction))
                    .orElse(null);
            done |= found == null;
            if (row != null) {
                nextRow = found;
            } else if (isEndPassed(from) || from.equals(position)) {
                row = found;
            }
        } finally {
            lock.unlock();
        }
    }

    private void endedRow(boolean found) {
        lock.lock();
        try {
            underWay--;
            findingRow = false;
            // The scan will meet the failure too, and is the one to tell of it.
            done |= !found;
        } finally {
            lock.unlock();
        }
        ask();
    }

    private void ended(Asked leaf, boolean fetched) {
        lock.lock();
        try {
            underWay--;
            leaf.fetched = fetched;
        } finally {
            lock.unlock();
        }
        if (fetched) {
            ask();
        }
    }
}
