package io.penstock.btree;

import io.penstock.core.Bytes;
import io.penstock.core.PageId;
import io.penstock.core.TreeId;
import io.penstock.core.memory.Workspace;
import io.penstock.core.page.InnerEntries;
import io.penstock.core.pool.PageManager;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A walk along all levels of a tree at the same pace, from left to right by the sibling links of each: so that it holds
 * few pages, whatever the size of the tree, and knows from the parents which ones to request ahead. A subclass says
 * what becomes of each page, and of what a tree should not have. Past the pool; for one run and one thread.
 */
abstract class LevelWalk {
    final PageManager pages;
    final TreeId tree;
    private final Workspace room;

    /** The levels of the tree, from the root down. */
    private final List<Level> levels = new ArrayList<>();

    LevelWalk(PageManager pages, TreeId tree, Workspace room) {
        this.pages = pages;
        this.tree = tree;
        this.room = room;
    }

    /** Makes the walk along the level below another one, of which {@code first} was named first. */
    abstract Level below(Level above, InnerEntries.Entry first);

    /** Walks along the level of the root, and all levels below it. */
    final void walk(Level root) {
        levels.add(root);
        // Each level comes into being with the first page of the one above; the lowest pulls all others along.
        for (int i = 0; i < levels.size(); i++) {
            levels.get(i).step();
        }
        // The lowest ends first. Where the first page of a level is damaged, a later one may show that there is a level
        // below it.
        for (int i = levels.size() - 1; i >= 0; ) {
            int before = levels.size();
            if (!levels.get(i).step()) {
                levels.get(i--).finished = true;
            } else if (levels.size() > before) {
                i = levels.size() - 1;
            }
        }
    }

    /** The walk along one level. */
    abstract class Level {
        final @Nullable Level above;
        final PageReads reads = new PageReads(pages, tree, room.part(2));

        /** The level that pages should be on; of the root, negative until it was read. */
        int level;

        /** The page to pass next, and the lower bound of its keys. */
        long next = PageId.NONE;

        Bytes low = Bytes.EMPTY;

        private @Nullable Level below;
        private boolean finished;

        Level(@Nullable Level above) {
            this.above = above;
            this.level = above == null ? -1 : above.level - 1;
        }

        /** Passes the page {@link #next}, and says which one is the next then. */
        abstract void pass();

        /** Finds a page to go on with where the chain ends; false when there is none. */
        boolean resume() {
            return false;
        }

        /** Notes a page of this level that a parent names. */
        void expect(InnerEntries.Entry entry) {
            reads.expect(entry);
        }

        /** Passes one page; false at the end of the level. */
        final boolean step() {
            if (next == PageId.NONE && !resume()) {
                return false;
            }
            while (above != null && reads.isShort() && above.step()) {
                // one page more of the parents
            }
            pass();
            return true;
        }

        /** Tells the level below of a child that a page of this one names. */
        final void name(InnerEntries.Entry child) {
            if (below == null) {
                below = below(this, child);
                levels.add(below);
            }
            if (!below.finished) {
                below.expect(child);
            }
        }
    }
}
