package io.penstock.btree;

import io.penstock.core.Bytes;
import io.penstock.core.PageId;
import io.penstock.core.StoreException;
import io.penstock.core.page.PageImage;
import io.penstock.core.page.PageManager;
import io.penstock.core.record.Direction;
import io.penstock.core.record.KeyRange;
import io.penstock.core.record.PageIndex;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Fetches leaves before a scan comes to them: their numbers stand in their parents, so their round trips overlap, where
 * the chain of siblings would make them follow each other. It begins with the second leaf, for most scans end in the
 * first, and doubles with each leaf that is used.
 */
final class LeafReadahead implements PageIndex.Readahead {
    private final PageManager pages;
    private final Descent descent;
    private final KeyRange range;
    private final boolean ascending;
    private final int windowMax;

    /** Leaves may be so large that a scan that comes to the end of the first is a long one already. */
    private final boolean large;

    private int window;

    /** Leaves asked for and not passed yet; splits may make it too low, which costs nothing but a smaller window. */
    private int ahead;

    /** Where the first leaf that was not asked for begins (ascending) or ends (descending); null: none was. */
    private @Nullable Bytes frontier;

    /** Whether there was a leaf that was not pooled: before that, a look for those ahead would be in vain. */
    private boolean missed;

    private boolean done;

    LeafReadahead(
            PageManager pages, Descent descent, KeyRange range, Direction direction, int windowMax, boolean large) {
        this.pages = pages;
        this.descent = descent;
        this.range = range;
        this.ascending = direction == Direction.ASCENDING;
        this.windowMax = windowMax;
        this.large = large;
    }

    @Override
    public void passing(Bytes bound, boolean pooled) {
        missed |= !pooled;
        ahead = Math.max(0, ahead - 1);
        if (window == 0 && !large) {
            window = 1;
            return;
        }
        window = window == 0 ? 1 : Math.min(windowMax, window * 2);
        if (missed && !done && ahead <= window / 2) {
            try {
                fetch(frontier == null || isPassed(frontier, bound) ? bound : frontier);
            } catch (StoreException failure) {
                // The scan will meet it too, and is the one to tell of it.
                done = true;
            }
        }
    }

    private boolean isPassed(Bytes frontier, Bytes bound) {
        return ascending ? frontier.compareTo(bound) < 0 : frontier.compareTo(bound) > 0;
    }

    /** Asks for the leaves from {@code bound} on, as far as the window and their parent reach. */
    private void fetch(Bytes bound) {
        Optional<Descent.Found> parent = ascending ? descent.to(bound, 1) : descent.before(bound, 1);
        if (parent.isEmpty()) {
            done = true;
            return;
        }
        PageImage page = parent.get().page().image();
        if (ascending) {
            fetchRightward(page, page.childFor(bound));
        } else {
            fetchLeftward(page, page.childBefore(bound), parent.get().low());
        }
    }

    private void fetchRightward(PageImage parent, int first) {
        int child = first;
        while (child < parent.count() && ahead < window && !isBeyond(parent.key(child))) {
            ask(parent, child++);
        }
        Bytes next =
                child < parent.count() ? parent.key(child) : parent.header().highKey();
        done = next == null || isBeyond(next);
        frontier = next;
        if (!done && child == parent.count()) {
            pages.prefetch(new PageId(parent.id().tree(), parent.header().right()));
        }
    }

    private boolean isBeyond(Bytes low) {
        Bytes to = range.to();
        return to != null && low.compareTo(to) >= 0;
    }

    /** There is no link to the left, so the parent before this one is looked for when it is needed. */
    private void fetchLeftward(PageImage parent, int first, Bytes parentLow) {
        int child = first;
        Bytes low = parentLow;
        boolean more = true;
        while (child >= 0 && ahead < window && more) {
            ask(parent, child);
            low = child == 0 ? parentLow : parent.key(child);
            more = low.compareTo(range.from()) > 0;
            child--;
        }
        done = !more;
        frontier = low;
    }

    private void ask(PageImage parent, int child) {
        pages.prefetch(new PageId(parent.id().tree(), parent.child(child)));
        ahead++;
    }
}
