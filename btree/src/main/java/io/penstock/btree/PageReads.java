package io.penstock.btree;

import io.penstock.core.Bytes;
import io.penstock.core.PageId;
import io.penstock.core.TreeId;
import io.penstock.core.memory.Workspace;
import io.penstock.core.page.InnerEntries;
import io.penstock.core.pool.PageFrame;
import io.penstock.core.pool.PageManager;
import io.penstock.core.task.Task;
import java.util.ArrayDeque;
import java.util.Optional;

/**
 * Reads of the pages of one level, from left to right and past the pool. Those that parents name are requested before
 * their turn, as many at a time as the memory allows. For one thread.
 */
final class PageReads {
    /** The maximum number of pages that are requested before their turn. */
    static final int WIDTH = 16;

    private final PageManager pages;
    private final TreeId tree;
    private final Workspace room;

    /** The pages that are named and not requested yet, from left to right. */
    private final ArrayDeque<InnerEntries.Entry> named = new ArrayDeque<>();

    private final ArrayDeque<Requested> requested = new ArrayDeque<>();

    /** The number of pages requested ahead; it doubles with each page, as its size is known only then. */
    private int width = 1;

    private long bytesSeen = 1;

    private record Requested(InnerEntries.Entry entry, Task<Optional<PageFrame>> page) {}

    PageReads(PageManager pages, TreeId tree, Workspace room) {
        this.pages = pages;
        this.tree = tree;
        this.room = room;
    }

    /** Whether it needs more pages that will be read. */
    boolean isShort() {
        return named.size() < width;
    }

    /** Notes that this page will be read, right of those noted before. */
    void expect(InnerEntries.Entry entry) {
        named.add(entry);
    }

    /** Reads the page whose keys begin at {@code low}; what is expected left of it is no longer. */
    Optional<PageFrame> read(long number, Bytes low) {
        while (!requested.isEmpty() && isLeft(requested.peek().entry, number, low)) {
            requested.remove();
        }
        while (requested.isEmpty() && !named.isEmpty() && isLeft(named.peek(), number, low)) {
            named.remove();
        }
        requestMore();
        boolean ahead = !requested.isEmpty() && requested.peek().entry.child() == number;
        Optional<PageFrame> found = ahead ? requested.remove().page.join() : pages.read(new PageId(tree, number));
        found.ifPresent(
                page -> bytesSeen = Math.max(bytesSeen, page.image().bytes().length()));
        width = Math.min(WIDTH, 2 * width);
        requestMore();
        return found;
    }

    private static boolean isLeft(InnerEntries.Entry entry, long number, Bytes low) {
        int order = entry.separator().compareTo(low);
        return order < 0 || order == 0 && entry.child() != number;
    }

    private void requestMore() {
        long most = Math.min(width, Math.max(1, room.bytes() / bytesSeen));
        while (requested.size() < most && !named.isEmpty()) {
            InnerEntries.Entry next = named.remove();
            PageId id = new PageId(tree, next.child());
            requested.add(new Requested(next, room.tasks().fork("walk", () -> pages.read(id))));
        }
    }
}
