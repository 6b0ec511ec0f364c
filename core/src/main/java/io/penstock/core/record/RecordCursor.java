package io.penstock.core.record;

import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.Stamp;
import io.penstock.core.page.LeafRun;
import io.penstock.core.page.PageImage;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A lazy scan of the records and tombstones of a range in the order of their keys. After {@link #advance} it is
 * positioned on one entry, which the other methods describe. Each page it reads is as old as the pool's TTL allows.
 * There is no snapshot: a change made during the scan may be seen or not. For one thread; the methods that move it may
 * throw any {@link io.penstock.core.StoreException}. Closing ends it early; it holds no resource that must be released.
 *
 * <p>From each leaf it keeps the bound where the next one begins, so that splits cannot confuse it.
 */
public final class RecordCursor implements AutoCloseable {
    private final KeyRange range;
    private final boolean ascending;
    private final PageIndex.Readahead readahead;

    private PageIndex index;

    /** Whether the scan will read to the end of its range. */
    private boolean toEnd;

    private @Nullable PageImage page;
    private int at;
    private int stop;

    /**
     * The position of the scan: the first key not yet seen (ascending), or the last key seen, exclusive (descending).
     */
    private @Nullable Bytes bound;

    private boolean ended;

    /** The current entry, or a run of entries. */
    private final LeafRun run;

    /** Whether the page is a part of a leaf. */
    private boolean inParts;

    RecordCursor(PageIndex index, KeyRange range, Direction direction, long asOfMillis) {
        this.run = new LeafRun(asOfMillis);
        this.index = index;
        this.range = range;
        this.ascending = direction == Direction.ASCENDING;
        this.bound = ascending ? range.from() : range.to();
        this.ended = range.isEmpty();
        this.readahead = index.readahead(range, direction);
    }

    /** Moves to the next entry, initially the first; false when there is none. */
    public boolean advance() {
        if (!isOnPage()) {
            return false;
        }
        run.look(page(), at);
        at += ascending ? 1 : -1;
        return true;
    }

    /**
     * Moves past the next entries, as many as are at hand, and returns the live ones; the run is empty if they are all
     * tombstones. Null when there is no entry. The run is valid until the next move.
     */
    public @Nullable LeafRun advanceRun() {
        if (!isOnPage()) {
            return null;
        }
        at = run.fill(page(), at, stop);
        return run;
    }

    /**
     * Moves past the next entries as {@link #advanceRun()} does, but stops before {@code end}: the run is empty if the
     * next entry is not before it.
     */
    public @Nullable LeafRun advanceRun(Bytes end) {
        if (!isOnPage()) {
            return null;
        }
        PageImage leaf = page();
        int found = leaf.find(end);
        // The first entry at or beyond the end in the scan's direction.
        int place = found >= 0 ? found : -found - (ascending ? 1 : 2);
        at = run.fill(leaf, at, ascending ? Math.clamp(place, at, stop) : Math.clamp(place, stop, at));
        return run;
    }

    /** Moves to the next page that has entries, unless this one has more; false when there is none. */
    private boolean isOnPage() {
        while (at == stop) {
            if (ended) {
                return false;
            }
            turnPage();
        }
        return true;
    }

    private PageImage page() {
        return Objects.requireNonNull(page);
    }

    /** The key; possibly a slice that keeps a whole page alive. */
    public Bytes key() {
        return run.key();
    }

    public boolean isTombstone() {
        return run.isTombstone();
    }

    /** The payload, or the reference to it; possibly a slice that keeps a whole page alive; empty for a tombstone. */
    public Bytes payload() {
        return run.payload();
    }

    /** Whether {@link #payload} is encoded {@link io.penstock.core.overflow.OverflowParts}. */
    public boolean isReference() {
        return run.isReference();
    }

    /** The time of the entry's stamp, as in {@link Stamp#time()}. */
    public long time() {
        return run.time();
    }

    /** The current entry's stamp. */
    public Stamp stamp() {
        return Objects.requireNonNull(run.stamp());
    }

    /** Whether {@code stamp} is newer than the entry's. */
    public boolean isOlderThan(Stamp stamp) {
        return run.isOlderThan(stamp);
    }

    /**
     * Hints that the caller will read at most {@code records} entries, so that those after them need not be fetched.
     */
    public void expect(long records) {
        readahead.expect(records);
    }

    /** Hints that the caller will read to the end of the range, so that all of it may be fetched from the start. */
    public void expectAll() {
        toEnd = true;
        index = index.whole();
        readahead.expectAll();
    }

    /** The entry's expiry, {@link io.penstock.core.page.Expiry#NEVER} for most and for a tombstone. */
    public long expiryMillis() {
        return run.expiryMillis();
    }

    /** The entry as an object of its own. */
    public RecordChange record() {
        return isTombstone()
                ? new RecordChange.Delete(key(), stamp())
                : new RecordChange.Put(key(), payload(), isReference(), run.expiryMillis(), stamp());
    }

    private void turnPage() {
        PageImage pooled = ascending && bound != null ? index.pooledLeafFor(bound) : null;
        boolean useful = page == null ? toEnd : !inParts;
        if (bound != null && useful) {
            readahead.coming(bound, pooled != null, page);
        }
        if (pooled != null) {
            inParts = false;
            enterForward(pooled);
            return;
        }
        Optional<PageIndex.Leaf> found = ascending && bound != null ? index.leafFor(bound) : index.leafBefore(bound);
        if (found.isEmpty()) {
            if (page != null) {
                throw new ConflictException(
                        "what is scanned was dropped meanwhile, and its pages are gone; begin anew", "page", page.id());
            }
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

    private void enterForward(PageImage leaf) {
        page = leaf;
        Bytes from = bound;
        // A leaf that follows another is read from its first entry.
        boolean whole = from == null || leaf.count() == 0 || leaf.compareKey(from, 0) <= 0;
        at = from == null || whole ? 0 : leaf.firstAtLeast(from);
        Bytes to = range.to();
        stop = to == null ? leaf.count() : Math.max(at, leaf.firstAtLeast(to));
        Bytes high = leaf.header().highKey();
        requireProgress(leaf, high == null || from == null || high.compareTo(from) > 0);
        bound = high;
        ended = high == null || !range.isBelowEnd(high);
    }

    private void enterBackward(PageIndex.Leaf found, PageImage leaf) {
        page = leaf;
        at = (bound == null ? leaf.count() : leaf.firstAtLeast(bound)) - 1;
        stop = Math.min(at, leaf.firstAtLeast(range.from()) - 1);
        requireProgress(leaf, bound == null || found.low().compareTo(bound) < 0);
        bound = found.low();
        ended = found.low().compareTo(range.from()) <= 0;
    }

    /** A scan moves on with each page, or it would never end. */
    private static void requireProgress(PageImage leaf, boolean moves) {
        if (!moves) {
            throw new CorruptDataException(
                    ErrorCode.PAGE_DAMAGED,
                    "a page covers no keys beyond those already read; run verify",
                    "page",
                    leaf.id());
        }
    }

    @Override
    public void close() {
        readahead.close();
        ended = true;
        at = stop;
        page = null;
    }
}
