package io.penstock.commit.session;

import io.penstock.commit.client.HybridClock;
import io.penstock.commit.protocol.WriteSet;
import io.penstock.core.Bytes;
import io.penstock.core.record.Direction;
import io.penstock.core.record.RecordChange;
import io.penstock.core.record.RecordCursor;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Merges three sorted streams, key by key; deletes hide what is below them. It stands on one live record at a time. For
 * one thread.
 */
public final class LayeredScan implements LiveRecords {
    private final Iterator<WriteSet.Write> writes;
    private final Iterator<RecordChange> overlay;
    private final RecordCursor pages;
    private final int sign;
    private final HybridClock clock;

    private WriteSet.@Nullable Write write;
    private @Nullable RecordChange own;

    /** Whether {@code pages} stands on an entry that was not taken yet; its key is read once. */
    private boolean stored;

    private Bytes storedKey = Bytes.EMPTY;

    /** Whether there are pages alone from here on: their entries become objects only when they are asked for. */
    private boolean alone;

    /** The newest time observed. */
    private long newest = Long.MIN_VALUE;

    private Bytes key = Bytes.EMPTY;
    private @Nullable Bytes payload;
    private boolean reference;
    private @Nullable Bytes marked;

    LayeredScan(
            Iterator<WriteSet.Write> writes,
            Iterator<RecordChange> overlay,
            RecordCursor pages,
            Direction direction,
            HybridClock clock) {
        this.writes = writes;
        this.overlay = overlay;
        this.pages = pages;
        this.sign = direction == Direction.ASCENDING ? 1 : -1;
        this.clock = clock;
    }

    @Override
    public boolean advance() {
        return alone ? advanceAlone() : advanceMerged();
    }

    private boolean advanceAlone() {
        while (pages.advance()) {
            observe(pages.time());
            if (!pages.isTombstone()) {
                return true;
            }
        }
        return false;
    }

    /** Most entries are older than one before: the clock that all threads share is left alone then. */
    private void observe(long time) {
        if (time > newest) {
            newest = time;
            clock.observe(time);
        }
    }

    private boolean advanceMerged() {
        payload = null;
        while (payload == null) {
            fill();
            if (write != null || own != null) {
                takeFirst();
            } else if (stored) {
                takeStored();
            } else {
                alone = true;
                return advanceAlone();
            }
        }
        return true;
    }

    @Override
    public Bytes key() {
        return alone ? pages.key() : key;
    }

    @Override
    public Bytes payload() {
        if (alone) {
            return pages.payload();
        }
        if (payload == null) {
            throw new IllegalStateException("there is no record here");
        }
        return payload;
    }

    @Override
    public boolean isReference() {
        return alone ? pages.isReference() : reference;
    }

    /** Remembers the record for {@link #markedKey}. */
    public void mark() {
        if (alone) {
            pages.mark();
        } else {
            marked = key;
        }
    }

    /** The key of the record that was marked last, wherever this stands by now; null when none was. */
    public @Nullable Bytes markedKey() {
        return alone && pages.isMarked() ? pages.markedKey() : marked;
    }

    private void fill() {
        if (write == null && writes.hasNext()) {
            write = writes.next();
        }
        if (own == null && overlay.hasNext()) {
            own = overlay.next();
        }
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

    private void takePage() {
        payload = pages.isTombstone() ? null : pages.payload();
        reference = pages.isReference();
    }

    /** Takes whatever the streams have at the first key of all; the payload that counts is null for a delete. */
    private void takeFirst() {
        key = firstKey();
        WriteSet.Write mine = write != null && write.key().equals(key) ? write : null;
        RecordChange sessions = own != null && own.key().equals(key) ? own : null;
        boolean page = stored && storedKey.equals(key);
        if (mine != null) {
            payload = mine.payload();
            reference = mine.isReference();
        } else if (sessions != null && !(page && !pages.isOlderThan(sessions.stamp()))) {
            payload = sessions instanceof RecordChange.Put put ? put.payload() : null;
            reference = sessions instanceof RecordChange.Put put && put.isReference();
        } else {
            takePage();
        }
        write = mine == null ? write : null;
        own = sessions == null ? own : null;
        stored = stored && !page;
    }

    /** There is a write, or a change of the session. */
    private Bytes firstKey() {
        Bytes first = stored ? storedKey : null;
        first = write == null ? first : earlier(write.key(), first);
        return own == null ? java.util.Objects.requireNonNull(first) : earlier(own.key(), first);
    }

    private Bytes earlier(Bytes a, @Nullable Bytes b) {
        return b == null || a.compareTo(b) * sign <= 0 ? a : b;
    }

    @Override
    public void expect(long records) {
        pages.expect(records);
    }

    @Override
    public void close() {
        pages.close();
    }
}
