package io.penstock.core.record;

import io.penstock.core.Bytes;
import io.penstock.core.Stamp;
import io.penstock.core.page.LeafView;
import io.penstock.core.page.PageImage;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Walks leaf by leaf. From each leaf it keeps the bound where the next one begins, so that splits cannot confuse it.
 */
final class PageCursor implements RecordCursor {
    private final PageIndex index;
    private final KeyRange range;
    private final boolean ascending;
    private final PageIndex.Readahead readahead;

    private @Nullable PageImage page;
    private int at;
    private int stop;

    /** Where the walk goes on: the first key not yet seen (ascending), or the last key seen so far, exclusive. */
    private @Nullable Bytes bound;

    private boolean ended;

    /** The entry it stands on, once there is one. */
    private int entry;

    /** Whether the page is a part of a leaf. */
    private boolean inParts;

    private final LeafView view = new LeafView();

    private @Nullable PageImage markedPage;
    private int markedEntry;

    PageCursor(PageIndex index, KeyRange range, Direction direction) {
        this.index = index;
        this.range = range;
        this.ascending = direction == Direction.ASCENDING;
        this.bound = ascending ? range.from() : range.to();
        this.ended = range.isEmpty();
        this.readahead = index.readahead(range, direction);
    }

    @Override
    public boolean advance() {
        while (at == stop) {
            if (ended) {
                return false;
            }
            turnPage();
        }
        view.look(at);
        entry = at;
        at += ascending ? 1 : -1;
        return true;
    }

    @Override
    public Bytes key() {
        return view.key();
    }

    @Override
    public boolean isTombstone() {
        return view.isTombstone();
    }

    @Override
    public Bytes payload() {
        return view.payload();
    }

    @Override
    public boolean isReference() {
        return view.isReference();
    }

    @Override
    public long time() {
        return view.time();
    }

    @Override
    public boolean isOlderThan(Stamp stamp) {
        return view.isOlderThan(stamp);
    }

    @Override
    public void mark() {
        if (markedPage != page) {
            markedPage = page;
        }
        markedEntry = entry;
    }

    @Override
    public boolean isMarked() {
        return markedPage != null;
    }

    @Override
    public Bytes markedKey() {
        if (markedPage == null) {
            throw new NoSuchElementException();
        }
        return markedPage.key(markedEntry);
    }

    @Override
    public void expect(long records) {
        readahead.expect(records);
    }

    VersionedRecord record() {
        return new VersionedRecord(view.key(), view.isTombstone() ? null : view.payload(), isReference(), view.stamp());
    }

    private void turnPage() {
        PageImage pooled = ascending && bound != null ? index.pooledLeafFor(bound) : null;
        if (page != null && bound != null && !inParts) {
            readahead.coming(bound, pooled != null, page);
        }
        if (pooled != null) {
            inParts = false;
            enterForward(pooled);
            return;
        }
        Optional<PageIndex.Leaf> found = ascending && bound != null ? index.leafFor(bound) : index.leafBefore(bound);
        if (found.isEmpty()) {
            close();
            return;
        }
        PageImage leaf = found.get().page().image();
        if (ascending) {
            enterForward(leaf);
        } else {
            enterBackward(found.get(), leaf);
        }
        inParts = found.get().isPart();
    }

    private void enter(PageImage leaf) {
        page = leaf;
        view.enter(leaf);
    }

    private void enterForward(PageImage leaf) {
        enter(leaf);
        Bytes from = bound;
        // Where a leaf follows another, its first entry is the one.
        boolean whole = from == null || leaf.count() == 0 || leaf.compareKey(from, 0) <= 0;
        at = from == null || whole ? 0 : leaf.firstAtLeast(from);
        Bytes to = range.to();
        stop = to == null ? leaf.count() : Math.max(at, leaf.firstAtLeast(to));
        Bytes high = leaf.header().highKey();
        bound = high;
        ended = high == null || !range.isBelowEnd(high);
    }

    private void enterBackward(PageIndex.Leaf found, PageImage leaf) {
        enter(leaf);
        at = (bound == null ? leaf.count() : leaf.firstAtLeast(bound)) - 1;
        stop = Math.min(at, leaf.firstAtLeast(range.from()) - 1);
        bound = found.low();
        ended = found.low().compareTo(range.from()) <= 0;
    }

    @Override
    public void close() {
        readahead.close();
        ended = true;
        at = stop;
        page = null;
    }
}
