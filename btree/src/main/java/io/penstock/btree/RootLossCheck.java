package io.penstock.btree;

import io.penstock.core.ConflictException;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.PageId;
import io.penstock.core.StoreException;
import io.penstock.core.TreeId;
import io.penstock.core.page.LeafEntries;
import io.penstock.core.page.PageHeader;
import io.penstock.core.page.PageImage;
import io.penstock.core.page.PageKind;
import io.penstock.core.pool.PageManager;

/**
 * The judgement on a tree that has no root page: it is empty, or its root was lost.
 *
 * <p>A tree is marked as soon as it has a root. Where that was cut short, its pages tell: all that a tree can have
 * before its root is there was made from version 0 of it. So a page that was made from a later version, or from another
 * page, or that is retired, proves that there was a root. Page numbers are random, so the first pages of a listing are
 * a fair sample.
 *
 * <p>Safe for use by many threads.
 */
record RootLossCheck(PageManager pages, TreeId tree) {
    /** The maximum number of pages that are read in search of a proof. */
    private static final int SAMPLE_MAX = 32;

    /** Whether this page proves that its tree has, or had, a root. */
    static boolean isProof(PageHeader page) {
        return switch (page.kind()) {
            case LEDGER -> false; // it belongs to a queue
            case RETIRED -> true;
            case LEAF, INNER ->
                page.origin().page() != PageId.NONE
                        && (page.origin().page() != PageId.ROOT || page.origin().version() > 0);
        };
    }

    /** Whether there was a root: the tree's mark, or one of its pages, proves it. */
    boolean wasThere() {
        return pages.isMarked(tree) || pages.listed(tree, SAMPLE_MAX).stream().anyMatch(this::isProof);
    }

    private boolean isProof(PageId page) {
        try {
            return pages.read(page)
                    .filter(found -> isProof(found.image().header()))
                    .isPresent();
        } catch (CorruptDataException damaged) {
            return false;
        }
    }

    /**
     * Makes sure that a new root does not hide the pages of another one.
     *
     * @throws CorruptDataException when the root was lost
     * @throws ConflictException when there is a root by now
     */
    void requireNone() {
        if (wasThere()) {
            requireRoot();
            throw new ConflictException("the tree has a root by now; read it again", "tree", tree.hex());
        }
    }

    /**
     * Makes sure, as {@link #requireNone} does, that the tree is empty, for readers: asks the store once in a while
     * only, so that a tree that stays empty costs little.
     *
     * @return false when there is a root by now: read again
     */
    boolean readsAsEmpty() {
        if (pages.pool().isKnownEmpty(tree, pages.nanoTime())) {
            return true;
        }
        if (wasThere()) {
            requireRoot();
            return false;
        }
        pages.pool().learnEmpty(tree, pages.nanoTime());
        return true;
    }

    /**
     * Tells why a descent to a node above leaves, whose children were written, ended at the root: the root is missing,
     * or it is lower than them.
     *
     * @return to be thrown, when there is a root by now: try again
     * @throws CorruptDataException when the root was lost, or an old one was put in its place
     */
    StoreException aboveIts(int level) {
        requireRoot();
        PageId root = PageId.root(tree);
        if (pages.refresh(root).filter(page -> page.image().level() >= level).isPresent()) {
            return new ConflictException("the tree has a root by now; read it again", "tree", tree.hex());
        }
        throw new CorruptDataException(
                ErrorCode.PAGE_DAMAGED,
                "the root of a tree is lower than its pages; run verify, and restore it",
                "key",
                pages.objectKey(root),
                "level",
                level);
    }

    /** Checks that a tree that had a root has one now: it may have come since it was looked for. */
    private void requireRoot() {
        if (pages.refresh(PageId.root(tree)).isEmpty()) {
            throw new CorruptDataException(
                    ErrorCode.PAGE_DAMAGED,
                    "the root of a tree is missing; run verify, and restore it",
                    "key",
                    pages.objectKey(PageId.root(tree)));
        }
    }

    /** The root of a tree without pages; its first write makes version 1. */
    static PageImage emptyRoot(TreeId tree) {
        PageHeader header = PageHeader.of(PageId.root(tree), PageKind.LEAF, 0, 0, 0);
        return LeafEntries.builder(null).build().layout(header, 0, 0).encode();
    }
}
