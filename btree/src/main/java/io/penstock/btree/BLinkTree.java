package io.penstock.btree;

import io.penstock.core.Bytes;
import io.penstock.core.PageId;
import io.penstock.core.TreeId;
import io.penstock.core.page.PageImage;
import io.penstock.core.page.PageManager;
import io.penstock.core.record.Direction;
import io.penstock.core.record.KeyRange;
import io.penstock.core.record.PageIndex;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A B-link tree, to be read: finds leaves, through pooled pages, and never waits for a writer. A tree without a root
 * page is empty; {@link TreeWriter} makes the root with its first write.
 *
 * <p>Every method may throw {@link io.penstock.core.UnavailableException} and {@link
 * io.penstock.core.CorruptDataException} (pages do not fit together, also when read again).
 *
 * <p>Safe for use by many threads. After Lehman and Yao, "Efficient Locking for Concurrent Operations on B-Trees" (TODS
 * 1981).
 */
public final class BLinkTree implements PageIndex {
    private final TreeId tree;
    private final PageManager pages;
    private final int readaheadMax;
    private final Descent descent;

    /** @param readaheadMax how many leaves a scan may fetch before it needs them; 0 for none */
    public BLinkTree(PageManager pages, TreeId tree, int readaheadMax) {
        this.tree = tree;
        this.pages = pages;
        this.readaheadMax = readaheadMax;
        this.descent = new Descent(pages, tree);
    }

    public TreeId id() {
        return tree;
    }

    @Override
    public Optional<Leaf> leafFor(Bytes key) {
        return descent.to(key, 0).map(BLinkTree::leaf);
    }

    @Override
    public @Nullable PageImage pageFor(Bytes key) {
        PageImage pooled = descent.pooledLeaf(key);
        if (pooled != null) {
            return pooled;
        }
        return descent.to(key, 0).map(found -> found.page().image()).orElse(null);
    }

    @Override
    public void refresh(Bytes key) {
        Optional<Descent.Found> leaf = descent.to(key, 0);
        PageId known = null;
        // A page read again may show that the key has moved to its right, to a page that may be old as well.
        while (leaf.isPresent() && !leaf.get().page().image().id().equals(known)) {
            known = leaf.get().page().image().id();
            pages.refresh(known);
            leaf = descent.to(key, 0);
        }
    }

    @Override
    public Optional<Leaf> leafBefore(@Nullable Bytes bound) {
        return descent.before(bound).map(BLinkTree::leaf);
    }

    @Override
    public Readahead readahead(KeyRange range, Direction direction) {
        return readaheadMax == 0 ? Readahead.NONE : new LeafReadahead(pages, descent, range, direction, readaheadMax);
    }

    /**
     * The number of the leaf that holds {@code key}, as the pooled inner pages have it, without reading the leaf: a
     * good guess, for a leaf that was split a moment ago may be another's left sibling.
     */
    @Override
    public long leafNumberFor(Bytes key) {
        Optional<Descent.Found> parent = descent.to(key, 1);
        if (parent.isEmpty()) {
            return PageId.ROOT;
        }
        PageImage page = parent.get().page().image();
        return page.child(page.childFor(key));
    }

    /** How many leaves the tree has, as its pages of level 1 have it, which are all read. */
    public long countLeaves() {
        long leaves = 0;
        Bytes at = Bytes.EMPTY;
        while (at != null) {
            Optional<Descent.Found> parent = descent.to(at, 1);
            if (parent.isEmpty()) {
                return 1;
            }
            PageImage page = parent.get().page().image();
            leaves += page.count();
            at = page.header().highKey();
        }
        return leaves;
    }

    private static Leaf leaf(Descent.Found found) {
        return new Leaf(found.page(), found.low());
    }
}
