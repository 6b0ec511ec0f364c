package io.penstock.btree;

import io.penstock.core.Bytes;
import io.penstock.core.PageId;
import io.penstock.core.page.PageImage;
import io.penstock.core.record.Direction;
import io.penstock.core.record.KeyRange;
import org.jspecify.annotations.Nullable;

/** The leaves below one parent in the order of a scan, up to the end of its range. Not thread-safe. */
final class LeafRow {
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
