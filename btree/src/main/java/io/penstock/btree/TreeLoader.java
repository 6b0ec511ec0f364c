package io.penstock.btree;

import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.PageId;
import io.penstock.core.Stamp;
import io.penstock.core.StoreException;
import io.penstock.core.TreeId;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.page.Expiry;
import io.penstock.core.page.InnerEntries;
import io.penstock.core.page.LeafEntries;
import io.penstock.core.page.NodeEntries;
import io.penstock.core.page.PageHeader;
import io.penstock.core.page.PageImage;
import io.penstock.core.page.PageKind;
import io.penstock.core.pool.PageFrame;
import io.penstock.core.pool.PageManager;
import io.penstock.core.task.Task;
import io.penstock.core.task.Tasks;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Builds a tree bottom-up from records in the order of their keys: one long split of an empty root. Pages below the
 * root are put as they fill, many at a time, while nothing refers to them. Then the root is replaced, if it is still
 * the empty one of the beginning, and the whole tree appears at once.
 *
 * <p>The load may bypass {@link TreeWriter}, because the only page of a live tree that it changes is that root, under
 * the same condition. As in every split, the pages name the root as their origin. After a failure or a crash nothing is
 * in the tree, and the pages are garbage.
 *
 * <p>For one thread.
 */
public final class TreeLoader {
    private static final int EXPIRY_BYTES = 6;

    private final PageManager pages;
    private final Tasks tasks;
    private final TreeSettings settings;
    private final int fillPercent;
    private final PageFrame root;
    private final List<NodeFill> levels = new ArrayList<>();
    private final ArrayDeque<Task<Boolean>> inFlight = new ArrayDeque<>();
    private LeafEntries.Builder leaf = LeafEntries.builder(null);
    private long expiryMillis = Expiry.NEVER;
    private long pagesPut;

    /**
     * Begins a load; creates the root page if the tree has none.
     *
     * @param fillPercent the fill of pages, 10 to 100
     * @throws InvalidRequestException when the tree has records or tombstones
     * @throws io.penstock.core.CorruptDataException when the tree had a root, which was lost
     */
    public TreeLoader(PageManager pages, TreeId tree, TreeSettings settings, Tasks tasks, int fillPercent) {
        if (fillPercent < 10 || fillPercent > 100) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_SETTING,
                    "the fill of pages must be 10 to 100 percent; choose another",
                    "fillPercent",
                    fillPercent);
        }
        this.pages = pages;
        this.tasks = tasks;
        this.settings = settings;
        this.fillPercent = fillPercent;
        this.root = emptyRoot(pages, tree, tasks);
        levels.add(newLevel(0));
    }

    /** Whether a tree can be loaded: it has no records and no tombstones. */
    public static boolean isEmpty(PageManager pages, TreeId tree) {
        return pages.refresh(PageId.root(tree))
                .map(frame -> isEmpty(frame.image()))
                .orElse(true);
    }

    /** The index epoch of the leaf at the beginning, which all leaves of the load inherit. */
    public long indexEpoch() {
        return root.image().header().indexEpoch();
    }

    private static boolean isEmpty(PageImage root) {
        return root.isLeaf() && root.count() == 0;
    }

    private static PageFrame emptyRoot(PageManager pages, TreeId tree, Tasks tasks) {
        PageId id = PageId.root(tree);
        Optional<PageFrame> there = pages.refresh(id);
        if (there.isEmpty()) {
            new RootLossCheck(pages, tree).requireNone();
            PageHeader header = PageHeader.of(id, PageKind.LEAF, 0, 0, 0).next(pages.newNumber(), tasks.nowMillis());
            PageImage empty =
                    LeafEntries.builder(null).build().layout(header, 0, 0).encode();
            return pages.put(empty, WriteCondition.IF_ABSENT);
        }
        if (!isEmpty(there.get().image())) {
            throw new InvalidRequestException(
                    ErrorCode.ALREADY_EXISTS,
                    "the tree has records or tombstones; load into a new collection, or use transactions",
                    "tree",
                    tree.hex());
        }
        return there.get();
    }

    private NodeFill newLevel(int level) {
        return new NodeFill(level, (long) settings.bytesTarget(level) * fillPercent / 100, pages.newNumber());
    }

    /** Sets the expiry of all records that are added from now on, in milliseconds since 1970. */
    public void expireAt(long millis) {
        expiryMillis = millis;
    }

    /**
     * Adds a record.
     *
     * @param key above the key of the record before
     * @param payload or, if {@code isReference}, an encoded overflow reference
     * @throws InvalidRequestException when the record does not fit, or comes out of order
     */
    public void add(Bytes key, Bytes payload, boolean isReference, Stamp stamp) {
        if (key.length() > settings.keyBytesMax() || key.length() + payload.length() > settings.recordBytesMax()) {
            throw new InvalidRequestException(
                    ErrorCode.TOO_LARGE,
                    "a record is too large for a page; make it smaller or the pages larger",
                    "keyBytes",
                    key.length(),
                    "recordBytes",
                    key.length() + payload.length());
        }
        NodeFill node = levels.getFirst();
        if (!node.isAbove(key)) {
            throw new InvalidRequestException("records to load are not sorted by key; sort them first");
        }
        int bytes = payload.length() + (expiryMillis == Expiry.NEVER ? 0 : EXPIRY_BYTES);
        if (!node.fits(key, bytes)) {
            closeLeaf(key);
        }
        node.add(key, bytes);
        leaf.put(key, payload, isReference, expiryMillis, stamp);
    }

    private void closeLeaf(Bytes next) {
        NodeFill node = levels.getFirst();
        Bytes separator = next.slice(0, node.last().sharedPrefix(next) + 1).copy();
        long following = pages.newNumber();
        put(node, leaf.build(), following, separator);
        leaf = LeafEntries.builder(null);
        promote(1, node.begin(following, separator));
    }

    /** Enters a finished node into its parent. */
    private void promote(int level, InnerEntries.Entry child) {
        if (levels.size() == level) {
            levels.add(newLevel(level));
        }
        NodeFill node = levels.get(level);
        if (!node.fits(child.separator(), Long.BYTES)) {
            long following = pages.newNumber();
            put(node, InnerEntries.of(node.takeChildren()), following, child.separator());
            promote(level + 1, node.begin(following, child.separator()));
        }
        node.add(child);
    }

    private void put(NodeFill node, NodeEntries entries, long right, Bytes high) {
        putFresh(entries, header(node).withRight(right, high));
    }

    private PageHeader header(NodeFill node) {
        PageHeader empty = root.image().header();
        PageHeader shape = node.level() == 0 ? empty : empty.asInner(node.level());
        return shape.splitOff(node.number(), pages.newNumber(), tasks.nowMillis());
    }

    private void putFresh(NodeEntries entries, PageHeader header) {
        PageImage image = entries.layout(header, 0, entries.count()).encode();
        if (inFlight.size() == settings.parallelWidth()) {
            inFlight.remove().join();
        }
        pagesPut++;
        inFlight.add(
                tasks.start("load-page", () -> pages.put(image, WriteCondition.IF_ABSENT, settings.compression())));
    }

    /**
     * Puts the remaining pages, the root last, and returns the number of pages put.
     *
     * @throws ConflictException when the tree was written meanwhile; then nothing of the load is in it
     */
    public long finish() {
        NodeEntries content = leaf.build();
        int level = 0;
        // A level of one node is the root: its content becomes the root's.
        while (level + 1 < levels.size()) {
            NodeFill node = levels.get(level);
            putFresh(content, header(node));
            promote(level + 1, new InnerEntries.Entry(node.separator(), node.number()));
            level++;
            content = InnerEntries.of(levels.get(level).takeChildren());
        }
        settle();
        PageHeader empty = root.image().header();
        PageHeader header = (level == 0 ? empty : empty.asInner(level)).next(pages.newNumber(), tasks.nowMillis());
        try {
            pages.put(
                    content.layout(header, 0, content.count()).encode(),
                    WriteCondition.ifVersion(root.version()),
                    settings.compression());
        } catch (ConflictException overtaken) {
            throw new ConflictException(
                    "the tree was written while it was loaded; nothing of the load is in it; repeat it when no"
                            + " other client writes",
                    overtaken,
                    "tree",
                    empty.id().tree().hex());
        }
        return pagesPut + 1;
    }

    /** Abandons the load: waits for puts under way. Their pages are garbage. */
    public void abandon() {
        try {
            settle();
        } catch (StoreException failure) {
            // In spite of any failure, nothing refers to these pages.
            inFlight.clear();
        }
    }

    private void settle() {
        while (!inFlight.isEmpty()) {
            inFlight.remove().join();
        }
    }

    /**
     * The rightmost node of one level while a tree is loaded, with an account of its size. The account is right to
     * within a few bytes while keys arrive, and counts their common prefix once. Pure; for one thread.
     */
    private static final class NodeFill {
        /**
         * The overhead of a leaf entry, in bytes: slot, flags, and four short varints; an inner entry has only its
         * slot.
         */
        private static final int LEAF_ENTRY_BYTES = 4 + 1 + 2 + 1 + 1;

        private static final int INNER_ENTRY_BYTES = 4;

        /** The fixed part of a page's header, and one client. */
        private static final int HEAD_BYTES = 120;

        private final int level;
        private final long bytesTarget;
        private final List<InnerEntries.Entry> children = new ArrayList<>();
        private long number;
        private Bytes separator = Bytes.EMPTY;
        private @Nullable Bytes first;
        private @Nullable Bytes last;
        private int prefix;
        private long count;
        private long keyBytes;
        private long valueBytes;

        NodeFill(int level, long bytesTarget, long number) {
            this.level = level;
            this.bytesTarget = bytesTarget;
            this.number = number;
        }

        int level() {
            return level;
        }

        /** The number of the node's page. */
        long number() {
            return number;
        }

        /** The lower bound of the node's keys. */
        Bytes separator() {
            return separator;
        }

        /** Whether {@code key} may come next. */
        boolean isAbove(Bytes key) {
            return last == null || key.compareTo(last) > 0;
        }

        /** The last key that was added. */
        Bytes last() {
            if (last == null) {
                throw new IllegalStateException("the node is empty");
            }
            return last;
        }

        /** Whether the node takes another entry within its target; an empty one takes any. */
        boolean fits(Bytes key, int value) {
            if (first == null) {
                return true;
            }
            int shared = Math.min(prefix, first.sharedPrefix(key));
            long entries = count + 1;
            long each = level == 0 ? LEAF_ENTRY_BYTES : INNER_ENTRY_BYTES;
            long keys = keyBytes + key.length();
            long weight = keys + each * entries + valueBytes + value;
            long suffixes = keys - entries * (level == 0 ? LeafEntries.prefixLength(shared, entries, weight) : shared);
            // The high key is about as long as the keys.
            return HEAD_BYTES + key.length() + shared + each * entries + suffixes + valueBytes + value <= bytesTarget;
        }

        void add(Bytes key, int value) {
            prefix = first == null ? key.length() : Math.min(prefix, first.sharedPrefix(key));
            first = first == null ? key : first;
            last = key;
            count++;
            keyBytes += key.length();
            valueBytes += value;
        }

        void add(InnerEntries.Entry child) {
            add(child.separator(), Long.BYTES);
            children.add(child);
        }

        List<InnerEntries.Entry> takeChildren() {
            List<InnerEntries.Entry> taken = List.copyOf(children);
            children.clear();
            return taken;
        }

        /** Begins the next node of the level, and returns the finished node's entry for its parent. */
        InnerEntries.Entry begin(long nextNumber, Bytes nextSeparator) {
            InnerEntries.Entry ended = new InnerEntries.Entry(separator, number);
            number = nextNumber;
            separator = nextSeparator;
            first = null;
            prefix = 0;
            count = 0;
            keyBytes = 0;
            valueBytes = 0;
            return ended;
        }
    }
}
