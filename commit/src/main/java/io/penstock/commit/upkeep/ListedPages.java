package io.penstock.commit.upkeep;

import io.penstock.core.Bytes;
import io.penstock.core.PageId;
import io.penstock.core.TreeId;
import io.penstock.core.memory.ExternalSort;
import io.penstock.core.memory.Workspace;
import io.penstock.core.object.Listing;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Pages as a listing showed them, sorted by tree and number, outside of memory where they are many. First all are
 * added, then read once, tree by tree. For one thread; close it when done.
 */
final class ListedPages implements AutoCloseable {
    private static final int TREE_BYTES = Long.BYTES;

    private final ExternalSort pages;
    private @Nullable Iterator<ExternalSort.Item> sorted;
    private @Nullable Page next;

    /** One page's object. */
    record Page(PageId id, long modifiedMillis, long bytes) {
        private static Page of(ExternalSort.Item item) {
            ByteBuffer key = buffer(item.key());
            ByteBuffer value = buffer(item.value());
            return new Page(new PageId(new TreeId(key.getLong()), key.getLong()), value.getLong(), value.getLong());
        }

        private static ByteBuffer buffer(Bytes bytes) {
            return ByteBuffer.wrap(bytes.array(), bytes.offset(), bytes.length());
        }
    }

    ListedPages(Workspace room) {
        this.pages = room.sort();
    }

    void add(PageId id, Listing.Entry entry) {
        add(new Page(id, entry.modifiedMillis(), entry.bytes()));
    }

    void add(Page page) {
        ByteBuffer key = ByteBuffer.allocate(TREE_BYTES + Long.BYTES)
                .putLong(page.id.tree().value())
                .putLong(page.id.number());
        ByteBuffer value =
                ByteBuffer.allocate(2 * Long.BYTES).putLong(page.modifiedMillis).putLong(page.bytes);
        pages.add(Bytes.wrap(key.array()), Bytes.wrap(value.array()), false);
    }

    /** The tree of the next page; empty at the end. */
    Optional<TreeId> tree() {
        if (sorted == null) {
            sorted = pages.sorted();
            advance(sorted);
        }
        return Optional.ofNullable(next).map(page -> page.id.tree());
    }

    /** Hands over the pages of this tree, by number, if they come next; returns how many there were. */
    long drain(TreeId tree, Consumer<Page> work) {
        long count = 0;
        while (tree().filter(tree::equals).isPresent() && next != null && sorted != null) {
            Page page = next;
            advance(sorted);
            work.accept(page);
            count++;
        }
        return count;
    }

    private void advance(Iterator<ExternalSort.Item> from) {
        next = from.hasNext() ? Page.of(from.next()) : null;
    }

    @Override
    public void close() {
        pages.close();
    }
}
