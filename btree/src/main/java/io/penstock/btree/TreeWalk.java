package io.penstock.btree;

import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.PageId;
import io.penstock.core.TreeId;
import io.penstock.core.memory.Workspace;
import io.penstock.core.page.InnerEntries;
import io.penstock.core.page.PageImage;
import io.penstock.core.pool.PageFrame;
import io.penstock.core.pool.PageManager;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A walk that finds all pages of a tree, even while others change it: each page that is part of the tree from before
 * the walk begins until it ends. It follows the sibling links of each level, from left to right, all levels at the same
 * pace: so that it holds few pages, and knows from the parents which ones to request ahead.
 *
 * <p>The reason: on every level the first page is never replaced, and the walk reads it. From any page to the left of
 * the one in question, the walk follows the link to the right sibling, which is at most as far right as that page; so
 * it arrives there in the end.
 *
 * <p>A retired page that only a parent names is no longer in the chain of its level; it is found too, and not read.
 */
final class TreeWalk {
    /** A page may vanish after the page that names it was read: then the walk starts again. */
    private static final int ATTEMPTS_MAX = 3;

    private final PageManager pages;
    private final TreeId tree;
    private final Workspace room;

    TreeWalk(PageManager pages, TreeId tree, Workspace room) {
        this.pages = pages;
        this.tree = tree;
        this.room = room;
    }

    /**
     * Walks the tree, past the pool.
     *
     * @param visitor shown every page, some of them twice when a walk starts again
     * @param found told the numbers of all pages, some of them twice; none when the tree is empty
     * @throws CorruptDataException when a page that is named is missing or unreadable
     */
    void run(Consumer<PageImage> visitor, LongConsumer found) {
        for (int attempt = 1; ; attempt++) {
            try {
                new Walk(visitor, found).run();
                return;
            } catch (CorruptDataException broken) {
                if (attempt == ATTEMPTS_MAX) {
                    throw broken;
                }
            }
        }
    }

    private final class Walk {
        private final Consumer<PageImage> visitor;
        private final LongConsumer found;

        /** From the root down. */
        private final List<Level> levels = new ArrayList<>();

        Walk(Consumer<PageImage> visitor, LongConsumer found) {
            this.visitor = visitor;
            this.found = found;
        }

        void run() {
            Optional<PageFrame> root = pages.read(PageId.root(tree));
            if (root.isEmpty()) {
                return;
            }
            PageImage image = root.get().image();
            found.accept(PageId.ROOT);
            levels.add(new Level(null, PageId.ROOT, image.level()));
            levels.getFirst().pass(image);
            // Each level comes into being with the first page of the one above.
            for (int i = 1; i < levels.size(); i++) {
                levels.get(i).step();
            }
            for (Level level : levels.reversed()) {
                level.finish();
            }
        }

        /** The walk along one level. */
        private final class Level {
            private final @Nullable Level above;
            private final PageReads reads;
            private final int level;
            private @Nullable Level below;
            private long next;
            private Bytes low = Bytes.EMPTY;
            private boolean finished;

            Level(@Nullable Level above, long first, int level) {
                this.above = above;
                this.level = level;
                this.next = first;
                this.reads = new PageReads(pages, tree, room.part(2));
            }

            void finish() {
                while (step()) {
                    // one page
                }
                finished = true;
            }

            /** Passes one page; false at the end of the level. */
            boolean step() {
                if (next == PageId.NONE) {
                    return false;
                }
                while (above != null && reads.isShort() && above.step()) {
                    // one page more of the parents
                }
                pass(read());
                return true;
            }

            private void pass(PageImage page) {
                if (page.level() != level) {
                    throw broken("a page is not on the level that its parent says; run verify", page.id());
                }
                visitor.accept(page);
                for (int i = 0; i < page.count() && !page.isLeaf(); i++) {
                    name(new InnerEntries.Entry(page.key(i), page.child(i)));
                }
                goOn(page);
            }

            private void name(InnerEntries.Entry child) {
                found.accept(child.child());
                if (below == null) {
                    below = new Level(this, child.child(), level - 1);
                    levels.add(below);
                }
                if (!below.finished) {
                    below.reads.expect(child);
                }
            }

            private void goOn(PageImage page) {
                Bytes high = page.header().highKey();
                next = page.header().right();
                if (next == PageId.NONE) {
                    return;
                }
                if (high == null || high.compareTo(low) <= 0) {
                    throw broken("the siblings of a level do not lead to the right; run verify", page.id());
                }
                low = high;
                found.accept(next);
            }

            private PageImage read() {
                PageId id = new PageId(tree, next);
                return reads.read(next, low)
                        .orElseThrow(() -> broken("a page that another one names is missing; run verify", id))
                        .image();
            }
        }
    }

    private CorruptDataException broken(String what, PageId page) {
        return new CorruptDataException(what, "key", pages.objectKey(page));
    }
}
