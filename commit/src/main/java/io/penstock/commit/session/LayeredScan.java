package io.penstock.commit.session;

import io.penstock.commit.client.HybridClock;
import io.penstock.commit.protocol.WriteSet;
import io.penstock.core.Bytes;
import io.penstock.core.record.Direction;
import io.penstock.core.record.RecordChange;
import io.penstock.core.record.RecordScan;
import io.penstock.core.record.VersionedRecord;
import java.util.Comparator;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** Merges three sorted streams, key by key; deletes hide what is below them. For one thread. */
public final class LayeredScan implements Iterator<LayeredScan.Live>, AutoCloseable {
    /** A live record; {@link LayeredReader#payload} gives its payload. */
    public record Live(Bytes key, Content content) {}

    private final Iterator<WriteSet.Write> writes;
    private final Iterator<RecordChange> overlay;
    private final RecordScan pages;
    private final Comparator<Bytes> order;
    private final HybridClock clock;

    private WriteSet.@Nullable Write write;
    private @Nullable RecordChange own;
    private @Nullable VersionedRecord stored;
    private @Nullable Live next;

    LayeredScan(
            Iterator<WriteSet.Write> writes,
            Iterator<RecordChange> overlay,
            RecordScan pages,
            Direction direction,
            HybridClock clock) {
        this.writes = writes;
        this.overlay = overlay;
        this.pages = pages;
        this.order = direction == Direction.ASCENDING ? Comparator.naturalOrder() : Comparator.reverseOrder();
        this.clock = clock;
    }

    @Override
    public boolean hasNext() {
        while (next == null) {
            fill();
            Bytes key = firstKey();
            if (key == null) {
                return false;
            }
            Content content = takeAt(key);
            next = content == null ? null : new Live(key, content);
        }
        return true;
    }

    @Override
    public Live next() {
        if (!hasNext() || next == null) {
            throw new NoSuchElementException();
        }
        Live live = next;
        next = null;
        return live;
    }

    private void fill() {
        if (write == null && writes.hasNext()) {
            write = writes.next();
        }
        if (own == null && overlay.hasNext()) {
            own = overlay.next();
        }
        if (stored == null && pages.hasNext()) {
            stored = pages.next();
            clock.observe(stored.stamp());
        }
    }

    private @Nullable Bytes firstKey() {
        Bytes first = write == null ? null : write.key();
        first = earlier(first, own == null ? null : own.key());
        return earlier(first, stored == null ? null : stored.key());
    }

    private @Nullable Bytes earlier(@Nullable Bytes a, @Nullable Bytes b) {
        if (a == null || b == null) {
            return a == null ? b : a;
        }
        return order.compare(a, b) <= 0 ? a : b;
    }

    /** Takes whatever the streams have at {@code key}, and returns the content that counts: null for a delete. */
    private @Nullable Content takeAt(Bytes key) {
        WriteSet.Write mine = write != null && write.key().equals(key) ? write : null;
        RecordChange sessions = own != null && own.key().equals(key) ? own : null;
        VersionedRecord page = stored != null && stored.key().equals(key) ? stored : null;
        write = mine != null ? null : write;
        own = sessions != null ? null : own;
        stored = page != null ? null : stored;
        if (mine != null) {
            return content(mine.payload(), mine.isReference());
        }
        if (sessions != null && (page == null || sessions.stamp().isAfter(page.stamp()))) {
            return sessions instanceof RecordChange.Put put ? content(put.payload(), put.isReference()) : null;
        }
        return page == null ? null : content(page.payload(), page.isReference());
    }

    private static @Nullable Content content(@Nullable Bytes bytes, boolean isReference) {
        return bytes == null ? null : new Content(bytes, isReference);
    }

    @Override
    public void close() {
        pages.close();
    }
}
