package io.penstock.btree;

import io.penstock.core.TreeId;
import io.penstock.core.page.PageManager;
import java.util.List;

/**
 * Walks a whole tree, level by level, and lists all that is wrong with it. Reads every page from the store, past the
 * pool. While writers are at work it may report what is only half done; run it when they rest. For one thread.
 */
public final class TreeCheck {
    private final PageManager pages;
    private final TreeId tree;

    private TreeCheck(PageManager pages, TreeId tree) {
        this.pages = pages;
        this.tree = tree;
    }

    /** Checks the tree; an unreadable page is a violation, an unavailable store is thrown. */
    public static TreeReport run(PageManager pages, TreeId tree) {
        return new TreeCheck(pages, tree).check();
    }

    private TreeReport check() {
        throw new UnsupportedOperationException("not yet " + pages + tree + List.of());
    }
}
