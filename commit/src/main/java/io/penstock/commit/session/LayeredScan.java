package io.penstock.commit.session;

import io.penstock.commit.client.HybridClock;
import io.penstock.commit.protocol.WriteSet;
import io.penstock.core.Bytes;
import io.penstock.core.record.Direction;
import io.penstock.core.record.RecordChange;
import io.penstock.core.record.RecordCursor;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Merges three sorted streams, key by key; deletes hide what is below them. It stands on one live record at a time. For
 * one thread.
 */
public final class LayeredScan implements AutoCloseable {
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
    private Bytes key = Bytes.EMPTY;
    private @Nullable Bytes payload;

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

    /** Goes to the next live record, at first to the first; false when there is none. */
    public boolean advance() {
        payload = null;
        while (payload == null) {
            fill();
            if (write == null && own == null) {
                if (!stored) {
                    return false;
                }
                takeStored();
            } else {
                takeFirst();
            }
        }
        return true;
    }

    /** The keys of the next live records; fewer than {@code max} only when there are no more. */
    public List<Bytes> keys(int max) {
        List<Bytes> keys = new ArrayList<>();
        while (keys.size() < max && advance()) {
            keys.add(key);
        }
        return keys;
    }

    /** The key of the record that this stands on. */
    public Bytes key() {
        return key;
    }

    /** The payload of the record that this stands on. */
    public Bytes payload() {
        if (payload == null) {
            throw new IllegalStateException("there is no record here");
        }
        return payload;
    }

    private void fill() {
        if (write == null && writes.hasNext()) {
            write = writes.next();
        }
        if (own == null && overlay.hasNext()) {
            own = overlay.next();
        }
        if (!stored && pages.advance()) {
            stored = true;
            storedKey = pages.key();
            clock.observe(pages.time());
        }
    }

    private void takeStored() {
        key = storedKey;
        payload = pages.isTombstone() ? null : pages.payload();
        stored = false;
    }

    /** Takes whatever the streams have at the first key of all; the payload that counts is null for a delete. */
    private void takeFirst() {
        key = firstKey();
        WriteSet.Write mine = write != null && write.key().equals(key) ? write : null;
        RecordChange sessions = own != null && own.key().equals(key) ? own : null;
        boolean page = stored && storedKey.equals(key);
        if (mine != null) {
            payload = mine.payload();
        } else if (sessions != null && !(page && !pages.isOlderThan(sessions.stamp()))) {
            payload = sessions instanceof RecordChange.Put put ? put.payload() : null;
        } else {
            payload = pages.isTombstone() ? null : pages.payload();
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
    public void close() {
        pages.close();
    }
}
