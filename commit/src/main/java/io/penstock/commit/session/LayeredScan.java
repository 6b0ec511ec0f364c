package io.penstock.commit.session;

import io.penstock.commit.client.StampObserver;
import io.penstock.core.Bytes;
import io.penstock.core.Stamp;
import io.penstock.core.page.Expiry;
import io.penstock.core.page.LeafRun;
import io.penstock.core.record.Content;
import io.penstock.core.record.Direction;
import io.penstock.core.record.RecordChange;
import io.penstock.core.record.RecordCursor;
import java.util.Iterator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A scan of live records in the order of their keys, or against it: merges three sorted streams, key by key; deletes
 * hide what is below them. It is positioned on a batch of records; initially before the first. For one thread.
 */
final class LayeredScan implements RecordScan {
    /** The number of page entries in a row after which the rest up to the next other key are taken as one run. */
    private static final int GALLOP = 2;

    private final Iterator<RecordChange> writes;
    private final Iterator<RecordChange> overlay;
    private final RecordCursor pages;
    private final int sign;
    private final StampObserver clock;
    private final long asOfMillis;

    private @Nullable RecordChange write;
    private @Nullable RecordChange own;

    /** Whether {@code pages} stands on an entry that was not taken yet; its key is read once. */
    private boolean stored;

    private Bytes storedKey = Bytes.EMPTY;

    /** The number of page entries taken since the last entry of another layer. */
    private int pagesInRow;

    /** Whether only pages are left: their entries become objects only when they are asked for. */
    private boolean alone;

    /** The record at hand before that. */
    private final LeafRun merged = new LeafRun();

    /** The newest time observed. */
    private long newest = Long.MIN_VALUE;

    private Bytes key = Bytes.EMPTY;
    private @Nullable Bytes payload;
    private boolean reference;
    private long expiryMillis;

    /** Of a record on a page. */
    private @Nullable Stamp stamp;

    /** @param asOfMillis records that have expired by then are hidden; {@code pages} hides them too */
    LayeredScan(
            Iterator<RecordChange> writes,
            Iterator<RecordChange> overlay,
            RecordCursor pages,
            Direction direction,
            StampObserver clock,
            long asOfMillis) {
        this.writes = writes;
        this.overlay = overlay;
        this.pages = pages;
        this.sign = direction == Direction.ASCENDING ? 1 : -1;
        this.clock = clock;
        this.asOfMillis = asOfMillis;
    }

    @Override
    public @Nullable LeafRun advance() {
        LeafRun layered = alone ? null : advanceLayered();
        return layered == null ? advanceAlone() : layered;
    }

    /** Moves to the next run of all layers; null, from then on, when only pages are left. */
    private @Nullable LeafRun advanceLayered() {
        LeafRun run = gallop();
        if (run != null) {
            return run;
        }
        if (advanceMerged()) {
            merged.hold(key, Objects.requireNonNull(payload), reference, expiryMillis, stamp);
            return merged;
        }
        alone = true;
        return null;
    }

    /** The entries of pages before the next key of the others; null when they are to be merged one by one. */
    private @Nullable LeafRun gallop() {
        if (stored || pagesInRow < GALLOP) {
            return null;
        }
        fillOthers();
        if (write == null && own == null) {
            return null;
        }
        LeafRun found = observed(pages.advanceRun(firstKey()));
        return found == null || found.left() == 0 ? null : found;
    }

    private @Nullable LeafRun advanceAlone() {
        LeafRun found;
        do {
            found = observed(pages.advanceRun());
        } while (found != null && found.left() == 0);
        return found;
    }

    /**
     * Returns a consumed run after its stamps are observed, those of hidden entries too: what hides them may be newer
     * than all others.
     */
    private @Nullable LeafRun observed(@Nullable LeafRun run) {
        if (run != null) {
            observe(run.newestTime());
        }
        return run;
    }

    /** Observes a stamp. Most are older than one before: the clock that all threads share is left alone then. */
    private void observe(long time) {
        if (time > newest) {
            newest = time;
            clock.observe(time);
        }
    }

    /** Moves to the next key of all layers; false when only pages are left. */
    private boolean advanceMerged() {
        payload = null;
        while (payload == null) {
            fill();
            if (write != null || own != null) {
                takeFirst();
            } else if (stored) {
                takeStored();
            } else {
                return false;
            }
        }
        return true;
    }

    private void fillOthers() {
        if (write == null && writes.hasNext()) {
            write = writes.next();
        }
        if (own == null && overlay.hasNext()) {
            own = overlay.next();
        }
    }

    private void fill() {
        fillOthers();
        // Before the others are at their end, for what they hide must be known.
        boolean merging = write != null || own != null;
        if (merging && !stored && pages.advance()) {
            stored = true;
            storedKey = pages.key();
            observe(pages.time());
        }
    }

    private void takeStored() {
        key = storedKey;
        takePage();
        stored = false;
    }

    private void take(@Nullable Content content) {
        payload = content == null || content.hasExpired(asOfMillis) ? null : content.bytes();
        reference = content != null && content.isReference();
        expiryMillis = content == null ? Expiry.NEVER : content.expiryMillis();
        stamp = null;
    }

    private void takePage() {
        payload = pages.isTombstone() ? null : pages.payload();
        reference = pages.isReference();
        expiryMillis = pages.expiryMillis();
        stamp = pages.stamp();
    }

    /** Consumes the first key, in the scan's order, from all streams; the winning payload is null for a delete. */
    private void takeFirst() {
        key = firstKey();
        RecordChange mine = write != null && write.key().equals(key) ? write : null;
        RecordChange sessions = own != null && own.key().equals(key) ? own : null;
        boolean page = stored && storedKey.equals(key);
        if (mine != null) {
            take(Content.of(mine));
        } else if (sessions != null && (!page || pages.isOlderThan(sessions.stamp()))) {
            take(Content.of(sessions));
        } else {
            takePage();
        }
        pagesInRow = mine == null && sessions == null ? pagesInRow + 1 : 0;
        write = mine == null ? write : null;
        own = sessions == null ? own : null;
        stored = stored && !page;
    }

    /** Returns the first key at hand, in the scan's order. There must be a write, or a change of the session. */
    private Bytes firstKey() {
        Bytes first = stored ? storedKey : null;
        first = write == null ? first : earlier(write.key(), first);
        return own == null ? Objects.requireNonNull(first) : earlier(own.key(), first);
    }

    private Bytes earlier(Bytes a, @Nullable Bytes b) {
        return b == null || a.compareTo(b) * sign <= 0 ? a : b;
    }

    @Override
    public void expect(long records) {
        pages.expect(records);
    }

    @Override
    public void expectAll() {
        pages.expectAll();
    }

    @Override
    public void close() {
        pages.close();
    }
}
