package io.penstock.btree;

import io.penstock.core.CorruptDataException;
import io.penstock.core.PageId;
import io.penstock.core.TreeId;
import io.penstock.core.page.PageImage;
import io.penstock.core.pool.PageFrame;
import io.penstock.core.pool.PageManager;
import io.penstock.core.task.Parallel;
import io.penstock.core.task.Tasks;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * A walk that finds all pages of a tree, even while others change it: each page that is part of the tree from before
 * the walk begins until it ends.
 *
 * <p>The reason: on every level the first page is never replaced, and the walk reads it. From any page to the left of
 * the one in question, the walk follows the link to the right sibling, which is at most as far right as that page; so
 * it arrives there in the end. Where reads lag, "before the walk begins" means earlier by that lag.
 *
 * <p>A retired page that only a parent names is no longer in the chain of its level; its right sibling may be gone.
 */
final class TreeWalk {
    /** Pages that are read at a time. */
    private static final int WIDTH = 8;

    /** A page may vanish after the page that names it was read: then the walk starts again. */
    private static final int ATTEMPTS_MAX = 3;

    private final PageManager pages;
    private final TreeId tree;
    private final Tasks tasks;

    TreeWalk(PageManager pages, TreeId tree, Tasks tasks) {
        this.pages = pages;
        this.tree = tree;
        this.tasks = tasks;
    }

    /**
     * Walks the tree, past the pool.
     *
     * @param visitor shown every page, some of them twice when a walk starts again
     * @return the numbers of all pages; none when the tree is empty
     * @throws CorruptDataException when a page that is named is missing or unreadable
     */
    Set<Long> run(Consumer<PageImage> visitor) {
        for (int attempt = 1; ; attempt++) {
            try {
                return walk(visitor);
            } catch (CorruptDataException broken) {
                if (attempt == ATTEMPTS_MAX) {
                    throw broken;
                }
            }
        }
    }

    private Set<Long> walk(Consumer<PageImage> visitor) {
        Front front = new Front();
        if (pages.read(PageId.root(tree)).isPresent()) {
            front.name(PageId.ROOT);
        }
        while (!front.next.isEmpty()) {
            for (PageImage image : Parallel.map(tasks, WIDTH, front.takeSome(), this::read)) {
                visitor.accept(image);
                front.pass(image);
            }
        }
        return front.seen;
    }

    /** The progress of a walk. */
    private static final class Front {
        final Set<Long> seen = new TreeSet<>();

        /** Pages that are named and not yet read. */
        final ArrayDeque<Long> next = new ArrayDeque<>();

        /** Pages that are the right sibling of one that is part of a chain. */
        private final Set<Long> chained = new TreeSet<>();

        /** The right siblings of retired pages that were read. */
        private final Map<Long, Long> rightOfRetired = new TreeMap<>();

        /** No more than are read at a time: the images of a whole level would not fit into the heap. */
        List<Long> takeSome() {
            List<Long> taken = new ArrayList<>();
            while (taken.size() < WIDTH && !next.isEmpty()) {
                taken.add(next.removeFirst());
            }
            return taken;
        }

        void pass(PageImage image) {
            long right = image.header().right();
            if (image.isRetired()) {
                rightOfRetired.put(image.id().number(), right);
            }
            if (!image.isRetired() || chained.contains(image.id().number())) {
                chain(right);
            }
            for (int i = 0; i < image.count() && !image.isLeaf(); i++) {
                name(image.child(i));
            }
        }

        private void chain(long first) {
            Long number = first;
            // What follows a page that is part of the chain already was followed then, or is when it is read.
            while (number != null && number != PageId.NONE && chained.add(number)) {
                name(number);
                number = rightOfRetired.get(number);
            }
        }

        private void name(long number) {
            if (seen.add(number)) {
                next.add(number);
            }
        }
    }

    private PageImage read(long number) {
        PageId id = new PageId(tree, number);
        long begun = pages.nanoTime();
        long tried = begun;
        Optional<PageFrame> found = pages.read(id);
        while (found.isEmpty() && pages.awaitLag(begun, tried)) {
            tried = pages.nanoTime();
            found = pages.read(id);
        }
        return found.orElseThrow(() -> new CorruptDataException(
                        "a page that another one names is missing; run verify", "key", pages.objectKey(id)))
                .image();
    }
}
