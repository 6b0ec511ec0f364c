package io.penstock.btree;

import io.penstock.core.CorruptDataException;
import io.penstock.core.PageId;
import io.penstock.core.TreeId;
import io.penstock.core.page.PageFrame;
import io.penstock.core.page.PageImage;
import io.penstock.core.page.PageManager;
import io.penstock.core.task.Parallel;
import io.penstock.core.task.Tasks;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * All pages of a tree that any link leads to, also while others change it: a page that is part of the tree from before
 * the walk begins until it ends is found.
 *
 * <p>Why: on every level the first page is never replaced, and the walk reads it. From a page it reads to the left of
 * the one in question it goes on to that page's right sibling, which is no further right than the one in question; so
 * it comes to it in the end. Where reads lag, "before the walk begins" means by as much earlier.
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
        Set<Long> seen = new TreeSet<>();
        if (pages.read(PageId.root(tree)).isEmpty()) {
            return seen;
        }
        List<Long> next = List.of(PageId.ROOT);
        seen.add(PageId.ROOT);
        while (!next.isEmpty()) {
            List<PageImage> images = Parallel.map(tasks, WIDTH, next, this::read);
            next = new ArrayList<>();
            for (PageImage image : images) {
                visitor.accept(image);
                addUnseen(image.header().right(), seen, next);
                for (int i = 0; i < image.count() && !image.isLeaf(); i++) {
                    addUnseen(image.child(i), seen, next);
                }
            }
        }
        return seen;
    }

    private static void addUnseen(long number, Set<Long> seen, List<Long> next) {
        if (number != PageId.NONE && seen.add(number)) {
            next.add(number);
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
                        "a page that another one names is not there; run check", "key", pages.objectKey(id)))
                .image();
    }
}
