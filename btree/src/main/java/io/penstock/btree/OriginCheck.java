package io.penstock.btree;

import io.penstock.core.Bytes;
import io.penstock.core.PageId;
import io.penstock.core.memory.ExternalSort;
import io.penstock.core.memory.Workspace;
import io.penstock.core.page.Origin;
import io.penstock.core.page.PageHeader;
import java.nio.ByteBuffer;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * A comparison of the pages of a tree with the pages that they were split from. Both are sorted by number, outside of
 * memory where they are many, and then met in one pass. For one thread; close it when done.
 */
final class OriginCheck implements AutoCloseable {
    /** The versions of pages, by page number. */
    private final ExternalSort versions;

    /** The splits, by the number of the origin and then of the page: the version of the split, and the page's own. */
    private final ExternalSort splits;

    /** A receiver of violations. */
    interface Reporter {
        void report(long page, String rule, String detail);
    }

    OriginCheck(Workspace room) {
        this.versions = room.part(2).sort();
        this.splits = room.part(2).sort();
    }

    void add(PageHeader page) {
        versions.add(longs(page.id().number()), longs(page.version()), false);
        Origin origin = page.origin();
        if (origin.page() != PageId.NONE) {
            splits.add(longs(origin.page(), page.id().number()), longs(origin.version(), page.version()), false);
        }
    }

    void run(Reporter reporter) {
        Iterator<ExternalSort.Item> origins = versions.sorted();
        ExternalSort.Item origin = null;
        for (Iterator<ExternalSort.Item> all = splits.sorted(); all.hasNext(); ) {
            ExternalSort.Item split = all.next();
            Bytes number = split.key().slice(0, Long.BYTES);
            while (isBefore(origin, number) && origins.hasNext()) {
                origin = origins.next();
            }
            if (origin != null && origin.key().equals(number)) { // else it was retired, and may be gone
                compare(reporter, split, at(origin.value(), 0));
            }
        }
    }

    private static boolean isBefore(ExternalSort.@Nullable Item item, Bytes number) {
        return item == null || item.key().compareTo(number) < 0;
    }

    private static void compare(Reporter reporter, ExternalSort.Item split, long originVersion) {
        long page = at(split.key(), 1);
        long splitAt = at(split.value(), 0);
        long version = at(split.value(), 1);
        if (originVersion <= splitAt) {
            reporter.report(
                    page,
                    "the origin has moved past the version of the split",
                    "origin version " + originVersion + ", split at " + splitAt);
        } else if (version < splitAt) {
            reporter.report(page, "a page inherits the version it was split from", "version " + version);
        }
    }

    private static Bytes longs(long... values) {
        ByteBuffer bytes = ByteBuffer.allocate(values.length * Long.BYTES);
        for (long value : values) {
            bytes.putLong(value);
        }
        return Bytes.wrap(bytes.array());
    }

    private static long at(Bytes bytes, int index) {
        return ByteBuffer.wrap(bytes.array(), bytes.offset(), bytes.length()).getLong(index * Long.BYTES);
    }

    @Override
    public void close() {
        versions.close();
        splits.close();
    }
}
