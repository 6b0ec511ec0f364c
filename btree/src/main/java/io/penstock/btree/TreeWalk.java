package io.penstock.btree;

import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.PageId;
import io.penstock.core.TreeId;
import io.penstock.core.memory.Workspace;
import io.penstock.core.page.InnerEntries;
import io.penstock.core.page.PageImage;
import io.penstock.core.pool.PageFrame;
import io.penstock.core.pool.PageManager;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A walk that finds all pages of a tree, even while others change it: each page that is part of the tree from before
 * the walk begins until it ends.
 *
 * <p>The reason: on every level the first page is never replaced, and the walk reads it. From any page to the left of
 * the one in question, the walk follows the link to the right sibling, which is at most as far right as that page; so
 * it arrives there in the end.
 *
 * <p>A retired page that only a parent names is no longer in the chain of its level; it is found too, and not read.
 */
final class TreeWalk extends LevelWalk {
    /** A page may vanish after the page that names it was read: then the walk starts again. */
    private static final int ATTEMPTS_MAX = 3;

    private final Consumer<PageImage> visitor;
    private final LongConsumer found;

    private TreeWalk(PageManager pages, TreeId tree, Workspace room, Consumer<PageImage> visitor, LongConsumer found) {
        super(pages, tree, room);
        this.visitor = visitor;
        this.found = found;
    }

    /**
     * Walks the tree, past the pool.
     *
     * @param visitor shown every page, some of them twice when a walk starts again
     * @param found receives the numbers of all pages, some of them twice; none when the tree is empty
     * @throws CorruptDataException when a page that is named is missing or unreadable
     */
    static void run(PageManager pages, TreeId tree, Workspace room, Consumer<PageImage> visitor, LongConsumer found) {
        for (int attempt = 1; ; attempt++) {
            try {
                new TreeWalk(pages, tree, room, visitor, found).run();
                return;
            } catch (CorruptDataException broken) {
                if (attempt == ATTEMPTS_MAX) {
                    throw broken;
                }
            }
        }
    }

    private void run() {
        pages.read(PageId.root(tree)).map(PageFrame::image).ifPresent(root -> {
            found.accept(PageId.ROOT);
            walk(new Strict(null, PageId.ROOT, root));
        });
    }

    @Override
    Level below(Level above, InnerEntries.Entry first) {
        return new Strict(above, first.child(), null);
    }

    /** The walk along one level, which throws where the pages do not lead to its end. */
    private final class Strict extends Level {
        private @Nullable PageImage root;

        /** @param root the first page, of the root's level */
        Strict(@Nullable Level above, long first, @Nullable PageImage root) {
            super(above);
            this.next = first;
            this.root = root;
            this.level = root == null ? level : root.level();
        }

        @Override
        void pass() {
            PageImage page = root == null ? read() : root;
            root = null;
            if (page.level() != level) {
                throw broken("a page is not on the level that its parent says; run verify", page.id());
            }
            visitor.accept(page);
            for (int i = 0; i < page.count() && !page.isLeaf(); i++) {
                found.accept(page.child(i));
                name(new InnerEntries.Entry(page.key(i), page.child(i)));
            }
            goOn(page);
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

        private CorruptDataException broken(String what, PageId page) {
            return new CorruptDataException(ErrorCode.PAGE_DAMAGED, what, "key", pages.objectKey(page));
        }
    }
}
