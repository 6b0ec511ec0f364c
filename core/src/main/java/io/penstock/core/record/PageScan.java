package io.penstock.core.record;

import io.penstock.core.Bytes;
import io.penstock.core.page.PageImage;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Walks leaf by leaf. From each leaf it keeps the bound where the next one begins, so that splits cannot confuse it.
 */
final class PageScan implements RecordScan {
    private final PageIndex index;
    private final KeyRange range;
    private final boolean ascending;
    private final boolean withTombstones;
    private final PageIndex.Readahead readahead;

    private @Nullable PageImage page;
    private int at;
    private int stop;

    /** Where the walk goes on: the first key not yet seen (ascending), or the last key seen so far, exclusive. */
    private @Nullable Bytes bound;

    private boolean ended;
    private @Nullable VersionedRecord next;

    PageScan(PageIndex index, KeyRange range, Direction direction, boolean withTombstones) {
        this.index = index;
        this.range = range;
        this.ascending = direction == Direction.ASCENDING;
        this.withTombstones = withTombstones;
        this.bound = ascending ? range.from() : range.to();
        this.ended = range.isEmpty();
        this.readahead = index.readahead(range, direction);
    }

    @Override
    public boolean hasNext() {
        while (next == null) {
            PageImage current = page;
            if (current == null || at == stop) {
                if (ended) {
                    return false;
                }
                turnPage();
                continue;
            }
            int entry = at;
            at += ascending ? 1 : -1;
            if (withTombstones || !current.isTombstone(entry)) {
                next = RecordManager.read(current, entry, current.key(entry));
            }
        }
        return true;
    }

    @Override
    public VersionedRecord next() {
        if (!hasNext() || next == null) {
            throw new NoSuchElementException();
        }
        VersionedRecord record = next;
        next = null;
        return record;
    }

    private void turnPage() {
        Optional<PageIndex.Leaf> found = ascending && bound != null ? index.leafFor(bound) : index.leafBefore(bound);
        if (found.isEmpty()) {
            close();
            return;
        }
        page = found.get().page().image();
        if (ascending) {
            enterForward(page);
        } else {
            enterBackward(found.get(), page);
        }
        if (!ended && bound != null && !found.get().isPart()) {
            readahead.passing(bound);
        }
    }

    private void enterForward(PageImage leaf) {
        at = bound == null ? 0 : leaf.firstAtLeast(bound);
        Bytes to = range.to();
        stop = to == null ? leaf.count() : Math.max(at, leaf.firstAtLeast(to));
        Bytes high = leaf.header().highKey();
        bound = high;
        ended = high == null || !range.isBelowEnd(high);
    }

    private void enterBackward(PageIndex.Leaf found, PageImage leaf) {
        at = (bound == null ? leaf.count() : leaf.firstAtLeast(bound)) - 1;
        stop = Math.min(at, leaf.firstAtLeast(range.from()) - 1);
        bound = found.low();
        ended = found.low().compareTo(range.from()) <= 0;
    }

    @Override
    public void close() {
        ended = true;
        page = null;
        next = null;
    }
}
