package io.penstock.core;

import java.util.HexFormat;

/**
 * The name of one page of a tree. Page numbers are random, with two exceptions: the root's never changes ({@link
 * #ROOT}), and those of the home pages of PU queues are derived from the queue.
 */
public record PageId(TreeId tree, long number) implements Comparable<PageId> {
    /** The number of every tree's root page: a root split overwrites the root and never moves it. */
    public static final long ROOT = 1;

    /** The number that means no page, as the right sibling of the last page of a level. */
    public static final long NONE = 0;

    public static PageId root(TreeId tree) {
        return new PageId(tree, ROOT);
    }

    public boolean isRoot() {
        return number == ROOT;
    }

    /** The page's number as 16 lower-case hexadecimal digits. */
    public String hex() {
        return HexFormat.of().toHexDigits(number);
    }

    @Override
    public int compareTo(PageId other) {
        int byTree = tree.compareTo(other.tree);
        return byTree != 0 ? byTree : Long.compareUnsigned(number, other.number);
    }

    @Override
    public String toString() {
        return tree.hex() + "/" + hex();
    }
}
