package io.penstock.btree;

import io.penstock.core.CorruptDataException;
import io.penstock.core.PageId;
import io.penstock.core.TreeId;
import io.penstock.core.page.PageImage;
import io.penstock.core.pool.PageFrame;
import io.penstock.core.pool.PageManager;
import io.penstock.core.task.Parallel;
import io.penstock.core.task.Tasks;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * All pages of a tree that any link leads to, also while others change it: a page that is part of the tree from before
 * the walk begins until it ends is found.
 *
 * <p>Why: on every level the first page is never replaced, and the walk reads it. From a page it reads to the left of
 * the one in question it goes on to that page's right sibling, which is no further right than the one in question; so
 * it comes to it in the end. Where reads lag, "before the walk begins" means by as much earlier.
 *
 * <p>A retired page that only a parent names is no longer part of the chain of its level; its right sibling may be
 * gone.
 */
final class TreeWalk {
    /** Pages that are read at a time. */
    private static final int WIDTH = 8;

    /** A page may vanish between the read of the one that names it and its own: then everything is read again. */
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
     * @param visitor shown every page, some of them twice when a walk has to begin anew
     * @return the numbers of all pages; none when the tree is empty
     * @throws CorruptDataException when a page that is named is not there, or cannot be read
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
            List<PageImage> images = Parallel.map(tasks, WIDTH, front.takeNext(), this::read);
            for (PageImage image : images) {
                visitor.accept(image);
                front.pass(image);
            }
        }
        return front.seen;
    }

    /** How far a walk has come. */
    private static final class Front {
        final Set<Long> seen = new TreeSet<>();

        /** Pages that are named and were not read. */
        List<Long> next = new ArrayList<>();

        /** Pages that are the right sibling of one that is part of a chain. */
        private final Set<Long> chained = new TreeSet<>();

        /** The right siblings of retired pages that were read. */
        private final Map<Long, Long> rightOfRetired = new TreeMap<>();

        List<Long> takeNext() {
            List<Long> taken = next;
            next = new ArrayList<>();
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
            for (Long number = first; number != null && number != PageId.NONE; number = rightOfRetired.get(number)) {
                chained.add(number);
                name(number);
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
                        "a page that another one names is not there; run verify", "key", pages.objectKey(id)))
                .image();
    }
}
