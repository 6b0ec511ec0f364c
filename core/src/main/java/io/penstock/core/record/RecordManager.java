package io.penstock.core.record;

import io.penstock.core.Bytes;
import io.penstock.core.page.PageImage;
import java.util.Optional;

/** Reads the records of one tree. Safe for use by many threads. */
public final class RecordManager {
    private final PageIndex index;

    public RecordManager(PageIndex index) {
        this.index = index;
    }

    /** What the page says of {@code key}: a record, a tombstone, or (empty) nothing. */
    public Optional<VersionedRecord> find(Bytes key) {
        Optional<PageIndex.Leaf> leaf = index.leafFor(key);
        if (leaf.isEmpty()) {
            return Optional.empty();
        }
        PageImage page = leaf.get().page().image();
        int at = page.find(key);
        return at < 0 ? Optional.empty() : Optional.of(read(page, at, key));
    }

    /** The live records of {@code range}. */
    public RecordScan scan(KeyRange range, Direction direction) {
        return new PageScan(index, range, direction, false);
    }

    /** The records of {@code range} and the tombstones among them: for whoever merges them with newer changes. */
    public RecordScan scanWithTombstones(KeyRange range, Direction direction) {
        return new PageScan(index, range, direction, true);
    }

    static VersionedRecord read(PageImage page, int at, Bytes key) {
        return new VersionedRecord(key, page.isTombstone(at) ? null : page.payload(at), page.stamp(at));
    }
}
