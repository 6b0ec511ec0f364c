package io.penstock;

import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.PageId;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.page.InnerEntries;
import io.penstock.core.page.LeafEntries;
import io.penstock.core.page.NodeEntries;
import io.penstock.core.page.PageHeader;
import io.penstock.core.page.PageImage;
import io.penstock.core.page.PageKind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.IntFunction;

/**
 * A tree as a bulk load of any number of records would build it, of which only the separators are kept: each page is
 * encoded when it is asked for. Records have keys of 16 random bytes, as evenly spread as such keys are, and payloads
 * of 100; a record, and so a page, follows from its number. Immutable.
 */
final class ComputedTree {
    static final int PAYLOAD_BYTES = 100;
    private static final int KEY_BYTES = 16;

    /** 64 KiB pages, of which a bulk load fills 90 %. */
    private static final int PAGE_BYTES_TARGET = (64 << 10) * 9 / 10;

    private static final long MILLIS = 1_700_000_000_000L;
    private static final Stamp STAMP = Stamp.of(MILLIS, 0, new ClientId(1));

    /** A page's number: its level, and one more, above these bits, its place in the level in them. */
    private static final int LEVEL_SHIFT = 40;

    private final TreeId tree;
    private final long records;

    /** The part of the space of keys, as unsigned numbers of 64 bits, that each record has for itself. */
    private final long spacing;

    private final int leafRecords;
    private final List<Level> levels = new ArrayList<>();
    private final PageHeader empty;

    /**
     * @param lows the lower bound of each of the level's nodes, in order
     * @param perNode entries of each node but the last: records of a leaf, or children
     */
    private record Level(List<Bytes> lows, int perNode) {}

    ComputedTree(TreeId tree, long records) {
        this.tree = tree;
        this.records = records;
        this.spacing = Long.divideUnsigned(-1, records);
        this.empty = PageHeader.of(PageId.root(tree), PageKind.LEAF, 0, 0, 0).next(2, MILLIS);
        this.leafRecords = fitting(records, count -> leafEntries(records / 2, count));
        addLevels();
    }

    private void addLevels() {
        List<Bytes> lows = new ArrayList<>();
        for (long first = 0; first < records; first += leafRecords) {
            lows.add(separator(first));
        }
        levels.add(new Level(lows, leafRecords));
        while (levels.getLast().lows.size() > 1) {
            List<Bytes> below = levels.getLast().lows;
            int children = fitting(below.size(), count -> innerEntries(0, below, 0, count));
            List<Bytes> next = new ArrayList<>();
            for (int first = 0; first < below.size(); first += children) {
                next.add(below.get(first));
            }
            levels.add(new Level(next, children));
        }
    }

    /** The largest number of entries, from 1 to {@code most}, that do not make a page exceed the target. */
    private int fitting(long most, IntFunction<NodeEntries> entries) {
        int fits = 1;
        int tooMany = (int) Math.min(most, PAGE_BYTES_TARGET) + 1;
        while (tooMany - fits > 1) {
            int middle = (fits + tooMany) >>> 1;
            NodeEntries some = entries.apply(middle);
            if (some.layout(empty, 0, some.count()).bytes() <= PAGE_BYTES_TARGET) {
                fits = middle;
            } else {
                tooMany = middle;
            }
        }
        return fits;
    }

    /** The number of the tree's levels. */
    int height() {
        return levels.size();
    }

    /** The number of a level's pages; level 0 is that of the leaves. */
    int pages(int level) {
        return levels.get(level).lows.size();
    }

    int leafRecords() {
        return leafRecords;
    }

    /** The key of a record, which grows with its number. */
    Bytes key(long record) {
        SplittableRandom random = new SplittableRandom(record);
        return Bytes.wrap(ByteBuffer.allocate(KEY_BYTES)
                .putLong(record * spacing + random.nextLong(spacing))
                .putLong(random.nextLong())
                .array());
    }

    Bytes payload(long record) {
        byte[] payload = new byte[PAYLOAD_BYTES];
        new SplittableRandom(~record).nextBytes(payload);
        return Bytes.wrap(payload);
    }

    /** The number of the first record of a leaf. */
    long firstOf(int leaf) {
        return (long) leaf * leafRecords;
    }

    /** The number of the first leaf below a node of level 1. */
    int firstLeafBelow(int node) {
        return node * levels.get(1).perNode;
    }

    private Bytes separator(long first) {
        if (first == 0) {
            return Bytes.EMPTY;
        }
        Bytes key = key(first);
        return key.slice(0, key(first - 1).sharedPrefix(key) + 1).copy();
    }

    private LeafEntries leafEntries(long first, int count) {
        LeafEntries.Builder entries = LeafEntries.builder(null);
        for (long record = first; record < Math.min(records, first + count); record++) {
            entries.put(key(record), payload(record), STAMP);
        }
        return entries.build();
    }

    private InnerEntries innerEntries(int levelBelow, List<Bytes> below, int first, int count) {
        List<InnerEntries.Entry> entries = new ArrayList<>();
        for (int child = first; child < Math.min(below.size(), first + count); child++) {
            entries.add(new InnerEntries.Entry(below.get(child), number(levelBelow, child)));
        }
        return InnerEntries.of(entries);
    }

    private static long number(int level, int place) {
        return (level + 1L) << LEVEL_SHIFT | place;
    }

    /** The page, encoded as the store's own writers do; empty when the tree has none of this number. */
    Optional<PageImage> page(long number) {
        int top = height() - 1;
        int level = number == PageId.ROOT ? top : (int) (number >>> LEVEL_SHIFT) - 1;
        int place = number == PageId.ROOT ? 0 : (int) number;
        boolean there = number == PageId.ROOT || (level >= 0 && level < top && place < pages(level));
        if (!there) {
            return Optional.empty();
        }
        NodeEntries entries = entries(level, place);
        PageHeader header = number == PageId.ROOT ? rootHeader(top) : header(level, place);
        return Optional.of(entries.layout(header, 0, entries.count()).encode());
    }

    private NodeEntries entries(int level, int place) {
        int perNode = levels.get(level).perNode;
        return level == 0
                ? leafEntries(firstOf(place), perNode)
                : innerEntries(level - 1, levels.get(level - 1).lows, place * perNode, perNode);
    }

    private PageHeader rootHeader(int top) {
        return (top == 0 ? empty : empty.asInner(top)).next(3, MILLIS);
    }

    /** All pages but the root were split off the empty root that the load began with. */
    private PageHeader header(int level, int place) {
        PageHeader shape = level == 0 ? empty : empty.asInner(level);
        PageHeader header = shape.splitOff(number(level, place), 4, MILLIS);
        List<Bytes> lows = levels.get(level).lows;
        return place + 1 == lows.size() ? header : header.withRight(number(level, place + 1), lows.get(place + 1));
    }

    TreeId id() {
        return tree;
    }
}
