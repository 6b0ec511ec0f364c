package io.penstock.core.record;

import java.util.NoSuchElementException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A scan that makes an object of each entry of a cursor. */
final class PageScan implements TreeScan {
    private final PageCursor cursor;
    private final boolean withTombstones;
    private @Nullable VersionedRecord next;

    PageScan(PageCursor cursor, boolean withTombstones) {
        this.cursor = cursor;
        this.withTombstones = withTombstones;
    }

    @Override
    public boolean hasNext() {
        while (next == null && cursor.advance()) {
            next = withTombstones || !cursor.isTombstone() ? cursor.record() : null;
        }
        return next != null;
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

    @Override
    public void forEachRemaining(Consumer<? super VersionedRecord> action) {
        cursor.expectAll();
        TreeScan.super.forEachRemaining(action);
    }

    @Override
    public void close() {
        cursor.close();
        next = null;
    }
}
