package io.penstock.btree;

import io.penstock.core.Bytes;
import io.penstock.core.PageId;
import io.penstock.core.TreeId;
import io.penstock.core.page.PageImage;
import io.penstock.core.pool.PageFrame;
import io.penstock.core.pool.PageManager;
import io.penstock.core.record.Direction;
import io.penstock.core.record.KeyRange;
import io.penstock.core.record.PageIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The read side of a B-link tree: finds leaves, through pooled pages, and never waits for a writer. A tree without a
 * root page is empty; {@link TreeWriter} creates the root with its first write.
 *
 * <p>Every method may throw {@link io.penstock.core.UnavailableException} and {@link
 * io.penstock.core.CorruptDataException} (pages do not fit together, even after they were read again).
 *
 * <p>Safe for use by many threads. After Lehman and Yao, "Efficient Locking for Concurrent Operations on B-Trees" (TODS
 * 1981).
 */
public final class BLinkTree implements PageIndex {
    private final TreeId tree;
    private final PageManager pages;
    private final int readaheadMax;
    private final int blockBytes;
    private final int leafBytes;
    private final Descent descent;
    private final RootLossCheck missingRoot;

    /** Creates a tree with pages of the default size, whose leaves are read whole. */
    public BLinkTree(PageManager pages, TreeId tree, int readaheadMax) {
        this(pages, tree, readaheadMax, 0, TreeSettings.DEFAULT.leafBytesTarget());
    }

    /**
     * @param readaheadMax the most leaves fetched ahead of a scan at a time; 0 for none
     * @param blockBytes the bytes of a large leaf that are read at first; 0 for all
     * @param leafBytes the typical size of leaves
     */
    public BLinkTree(PageManager pages, TreeId tree, int readaheadMax, int blockBytes, int leafBytes) {
        this.tree = tree;
        this.pages = pages;
        this.readaheadMax = readaheadMax;
        this.blockBytes = blockBytes;
        this.leafBytes = leafBytes;
        this.descent = new Descent(pages, tree);
        this.missingRoot = new RootLossCheck(pages, tree);
    }

    @Override
    public PageIndex whole() {
        return blockBytes == 0 ? this : new BLinkTree(pages, tree, readaheadMax, 0, leafBytes);
    }

    @Override
    public Optional<Leaf> leafFor(Bytes key) {
        Optional<Leaf> part = readsParts() ? part(descent.to(key, 1), key, false) : Optional.empty();
        return part.isPresent() ? part : founded(() -> descent.to(key, 0));
    }

    @Override
    public @Nullable PageImage pooledLeafFor(Bytes key) {
        return descent.pooledLeaf(key);
    }

    @Override
    public @Nullable PageImage pageFor(Bytes key) {
        PageImage pooled = pooledLeafFor(key);
        if (pooled != null) {
            return pooled;
        }
        return leafFor(key).map(leaf -> leaf.page().image()).orElse(null);
    }

    @Override
    public void refresh(Bytes key) {
        Optional<Descent.Found> leaf = descent.to(key, 0);
        PageId known = null;
        // A page read again may show that the key has moved to a page further right, which may be outdated too.
        while (leaf.isPresent() && !leaf.get().page().image().id().equals(known)) {
            known = leaf.get().page().image().id();
            pages.refresh(known);
            leaf = descent.to(key, 0);
        }
    }

    @Override
    public Optional<Leaf> leafBefore(@Nullable Bytes bound) {
        Optional<Leaf> part = readsParts() ? part(descent.before(bound, 1), bound, true) : Optional.empty();
        return part.isPresent() ? part : founded(() -> descent.before(bound));
    }

    /** The leaf that a search finds; a lost root is no empty tree. */
    private Optional<Leaf> founded(Supplier<Optional<Descent.Found>> search) {
        Optional<Descent.Found> found = search.get();
        if (found.isEmpty() && !missingRoot.readsAsEmpty()) {
            found = search.get();
        }
        return found.map(BLinkTree::leaf);
    }

    /** Whether parts may be read: a root that is a leaf is pooled by now. */
    private boolean readsParts() {
        return blockBytes > 0 && descent.isPooledRootAbove(0);
    }

    /** A part of the leaf below {@code parent}; empty when the leaf must be read whole. */
    private Optional<Leaf> part(Optional<Descent.Found> parent, @Nullable Bytes key, boolean before) {
        if (parent.isEmpty()) {
            return Optional.empty();
        }
        PageImage page = parent.get().page().image();
        int child = before || key == null ? page.childBefore(key) : page.childFor(key);
        Bytes separator = page.key(child);
        Bytes low = separator.compareTo(parent.get().low()) > 0
                ? separator
                : parent.get().low();
        return pages.part(new PageId(tree, page.child(child)), key, before, blockBytes)
                .map(part -> new Leaf(part.page(), part.low() == null ? low : part.low(), true));
    }

    @Override
    public Readahead readahead(KeyRange range, Direction direction) {
        if (readaheadMax == 0) {
            return Readahead.NONE;
        }
        long poolBytes = pages.pool().bytesMax();
        return new LeafReadahead(
                pages, descent, range, direction, new ReadaheadWindow(readaheadMax, leafBytes, poolBytes));
    }

    @Override
    public void prefetch(KeyRange range, Direction direction, long leaf) {
        boolean ascending = direction == Direction.ASCENDING;
        if (ascending && descent.pooledLeaf(range.from()) != null) {
            return;
        }
        if (leaf == PageId.NONE) {
            Runnable read = () -> (ascending ? leafFor(range.from()) : leafBefore(range.to()))
                    .ifPresent(found -> pages.pool().expect(found.page().image().id()));
            pages.readAhead("leaf", read, ended -> {});
        } else if (pages.prefetch(new PageId(tree, leaf), fetched -> {})) {
            pages.readAhead("parent", () -> descent.to(range.from(), 1), ended -> {});
        }
    }

    @Override
    public boolean isEmpty() {
        return pages.get(PageId.root(tree)).isEmpty() && missingRoot.readsAsEmpty();
    }

    /**
     * The number of the leaf that covers {@code key} according to the pooled inner pages, without reading the leaf. A
     * good guess: if that leaf was just split, the key may be in its right sibling. So a pooled root that is a leaf
     * is not read again.
     */
    @Override
    public long leafNumberFor(Bytes key) {
        if (!descent.isPooledRootAbove(0)) {
            return PageId.ROOT;
        }
        Optional<Descent.Found> parent = descent.to(key, 1);
        if (parent.isEmpty()) {
            return PageId.ROOT;
        }
        PageImage page = parent.get().page().image();
        return page.child(page.childFor(key));
    }

    /** The number of leaves, from the pages of level 1, which are all read. */
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

    /**
     * The size of a part of the tree, roughly.
     *
     * @param leaves that have a key of it, one at least
     * @param entries in these leaves; of a part within one leaf only those that belong to it
     */
    public record Estimate(long leaves, long entries) {}

    /**
     * Estimates the size of a range from the pages on the way to its beginning, which a scan needs too.
     *
     * @param exact whether the first leaf is read too; otherwise there are no entries
     */
    public Estimate estimate(KeyRange range, boolean exact) {
        Optional<PageFrame> root = pages.get(PageId.root(tree));
        int height = root.map(page -> page.image().level()).orElse(0);
        double leaves = 1;
        for (int level = height; level > 0; level--) {
            Optional<Descent.Found> found = descent.to(range.from(), level);
            PageImage page = found.isEmpty() ? null : found.get().page().image();
            // Below the level where the range has several pages, those are taken to be like the first.
            leaves *= page == null ? 1 : leaves > 1 ? page.count() : children(page, range);
        }
        long rounded = Math.max(1, Math.round(leaves));
        Optional<Descent.Found> first = exact ? descent.to(range.from(), 0) : Optional.empty();
        if (first.isEmpty()) {
            return new Estimate(rounded, 0);
        }
        PageImage leaf = first.get().page().image();
        Bytes to = range.to();
        int end = rounded > 1 || to == null ? leaf.count() : leaf.firstAtLeast(to);
        int begin = rounded > 1 ? 0 : leaf.firstAtLeast(range.from());
        return new Estimate(rounded, rounded * Math.max(0, end - begin));
    }

    /** The number of leaves of the tree, roughly, by pages in memory as far as there are some. */
    public long leaves() {
        Optional<PageFrame> page = pages.get(PageId.root(tree));
        double leaves = 1;
        while (page.isPresent() && page.get().image().level() > 0) {
            PageImage inner = page.get().image();
            leaves *= inner.count();
            page = inner.level() == 1 ? Optional.empty() : pages.get(anyChild(inner));
        }
        return Math.round(leaves);
    }

    private PageId anyChild(PageImage inner) {
        List<PageId> children = IntStream.range(0, inner.count())
                .mapToObj(i -> new PageId(tree, inner.child(i)))
                .toList();
        return children.stream().filter(pages::isPooled).findFirst().orElse(children.getFirst());
    }

    /**
     * The number of leaves in a range that has several of the pages below the root, roughly, as {@link #leaves};
     * otherwise 0, and {@link #estimate} knows better.
     */
    public long wideLeaves(KeyRange range) {
        PageImage root = pages.get(PageId.root(tree)).map(PageFrame::image).orElse(null);
        int children = root == null || root.level() < 2 ? 1 : children(root, range);
        return root == null || children == 1 ? 0 : leaves() * children / root.count();
    }

    /** The number of a page's children in a range, one at least. */
    private static int children(PageImage page, KeyRange range) {
        Bytes to = range.to();
        int last = to == null ? page.count() - 1 : page.firstAtLeast(to) - 1;
        return Math.max(1, last - page.childFor(range.from()) + 1);
    }

    /**
     * Keys that divide a range into parts of about as many leaves, by the pages of the highest level that has enough:
     * fewer, where the tree has fewer leaves.
     *
     * @param most the largest number of keys
     */
    public List<Bytes> separators(KeyRange range, int most) {
        Optional<PageFrame> root = pages.get(PageId.root(tree));
        List<Bytes> found = List.of();
        for (int level = root.map(page -> page.image().level()).orElse(0); level > 0 && found.size() < most; level--) {
            found = keys(range, level);
        }
        int parts = Math.min(most, found.size()) + 1;
        List<Bytes> chosen = new ArrayList<>();
        for (long part = 1; part < parts; part++) {
            chosen.add(found.get((int) (part * (found.size() + 1) / parts) - 1));
        }
        return chosen;
    }

    /** The keys within a range that divide it, of the pages of one level. */
    private List<Bytes> keys(KeyRange range, int level) {
        List<Bytes> found = new ArrayList<>();
        Bytes at = range.from();
        while (at != null && (range.contains(at) || at.equals(range.from()))) {
            PageImage page =
                    descent.to(at, level).map(parent -> parent.page().image()).orElse(null);
            for (int i = 0; page != null && i < page.count(); i++) {
                Bytes key = page.key(i);
                Bytes last = found.isEmpty() ? range.from() : found.getLast();
                if (range.contains(key) && key.compareTo(last) > 0) {
                    found.add(key);
                }
            }
            at = page == null ? null : page.header().highKey();
        }
        return found;
    }

    private static Leaf leaf(Descent.Found found) {
        return new Leaf(found.page(), found.low(), false);
    }
}
