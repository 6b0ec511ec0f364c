package io.penstock.commit.indexing;

import io.penstock.commit.catalog.IndexDefinition;
import io.penstock.commit.engine.Trees;
import io.penstock.commit.index.IndexEntry;
import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.PageId;
import io.penstock.core.TreeId;
import io.penstock.core.memory.Workspace;
import io.penstock.core.page.PageImage;
import io.penstock.core.pool.PageFrame;
import io.penstock.core.record.Direction;
import io.penstock.core.record.KeyRange;
import io.penstock.core.record.PageIndex;
import io.penstock.core.record.RecordChange;
import io.penstock.core.task.Parallel;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The part of an index build that brings the leaves of a collection to an epoch, some leaves at a time. It writes the
 * index entries of all records of a leaf, and then marks the leaf, in exactly the version that these records are from.
 * If the leaf was changed meanwhile, it repeats both. So a leaf of the epoch is indexed, whatever crashes when. The
 * mark is fenced by the version like every other write of the leaf, so a record that arrives later meets the mark. For
 * one thread.
 */
final class LeafIndexing {
    /**
     * The number of leaves whose entries are written together: the more there are, the fewer pages of the index are
     * written twice.
     */
    private static final int LEAVES_MAX = 128;

    /** The memory that a leaf and its entries take for each byte of it. */
    private static final int LEAF_MEMORY_FACTOR = 4;

    private static final int MARKS_WIDTH = 16;

    /** The most successive steps in which other clients changed every leaf meanwhile. */
    private static final int LOST_STEPS_MAX = 64;

    private static final int PAUSE_MILLIS_MAX = 2_000;

    private final Tasks tasks;
    private final int leavesMax;
    private final Trees trees;
    private final TreeId primary;
    private final List<Target> targets;
    private final long epoch;
    private final PageIndex.Readahead readahead;

    /** The remaining spans, from left to right. */
    private final ArrayDeque<Span> spans = new ArrayDeque<>();

    private int lostSteps;
    private long leaves;
    private long records;

    /**
     * A stored index and the rule of its entries.
     *
     * @param entryOf returns the entry for a primary key and payload, if the record has one
     */
    record Target(IndexDefinition stored, BiFunction<Bytes, Bytes, Optional<IndexEntry>> entryOf) {
        TreeId pending() {
            return stored.pendingTree().orElseThrow();
        }
    }

    /** The keys from {@code low} (inclusive) to {@code high} (exclusive; null: to the end). */
    private record Span(Bytes low, @Nullable Bytes high) {}

    /** A leaf and the span of keys that it covers. */
    private record Due(PageFrame leaf, Span span) {}

    /** @param trees to read and write; no other object uses their pool */
    LeafIndexing(Workspace room, Trees trees, TreeId primary, List<Target> targets, long epoch, int leafBytes) {
        this.tasks = room.tasks();
        this.leavesMax = (int) Math.clamp(room.bytes() / LEAF_MEMORY_FACTOR / leafBytes, 1, LEAVES_MAX);
        this.trees = trees;
        this.primary = primary;
        this.targets = targets;
        this.epoch = epoch;
        this.readahead = trees.reader(primary).readahead(KeyRange.all(), Direction.ASCENDING);
        spans.add(new Span(Bytes.EMPTY, null));
    }

    /** Gives the root of a tree an epoch at which its records are indexed; it needs none where it is no leaf. */
    static void markRoot(Trees trees, TreeId tree, long epoch) {
        insist(() -> {
            Optional<PageFrame> leaf = leafFor(trees, tree, Bytes.EMPTY);
            if (leaf.isEmpty()) {
                trees.writer(tree).createRoot(epoch);
            } else if (leaf.get().image().id().equals(PageId.root(tree))) {
                trees.writer(tree).mark(leaf.get(), epoch);
            }
        });
    }

    /** Writes the leaves of some keys again, as they are, so that no put of these from before succeeds. */
    static void writeAgain(Trees trees, TreeId tree, NavigableSet<Bytes> keys) {
        NavigableSet<Bytes> left = new TreeSet<>(keys);
        while (!left.isEmpty()) {
            insist(() -> {
                Optional<PageFrame> leaf = leafFor(trees, tree, left.first());
                if (leaf.isEmpty()) {
                    trees.writer(tree).createRoot(0);
                    left.clear();
                    return;
                }
                PageImage image = leaf.get().image();
                trees.writer(tree).mark(leaf.get(), image.header().indexEpoch());
                Bytes bound = image.header().highKey();
                left.removeIf(key -> bound == null || key.compareTo(bound) < 0);
            });
        }
    }

    private static Optional<PageFrame> leafFor(Trees trees, TreeId tree, Bytes key) {
        return trees.reader(tree).leafFor(key).map(PageIndex.Leaf::page);
    }

    /** Repeats a write that others were faster than, or whose answer was lost. */
    private static void insist(Runnable write) {
        for (int tries = 1; ; tries++) {
            try {
                write.run();
                return;
            } catch (ConflictException | OutcomeUnknownException again) {
                if (tries == LOST_STEPS_MAX) {
                    throw again;
                }
            }
        }
    }

    /** The number of leaves that are done. */
    long leaves() {
        return leaves;
    }

    /** The number of records on the leaves that are done. */
    long records() {
        return records;
    }

    /** Indexes some leaves, and returns false when none are left. */
    boolean step() {
        if (spans.isEmpty()) {
            return false;
        }
        long before = leaves;
        Runnable timely = trees.writer(primary).knownNow();
        List<Due> due = take();
        write(due, timely);
        List<Boolean> marked = Parallel.map(tasks, MARKS_WIDTH, due, this::mark);
        for (int i = due.size() - 1; i >= 0; i--) {
            if (marked.get(i)) {
                count(due.get(i).leaf.image());
            } else {
                spans.addFirst(due.get(i).span);
            }
        }
        pauseIfLost(leaves > before);
        return true;
    }

    /** Returns leaves that are not of the epoch yet, and counts those that are as done. */
    private List<Due> take() {
        List<Due> due = new ArrayList<>();
        int seen = 0;
        while (!spans.isEmpty() && seen < leavesMax) {
            Span span = spans.removeFirst();
            Optional<PageIndex.Leaf> found = trees.reader(primary).leafFor(span.low);
            if (found.isEmpty()) {
                createRoot();
                spans.addFirst(span);
                return due;
            }
            PageFrame leaf = found.get().page();
            Bytes bound = leaf.image().header().highKey();
            Bytes end = span.high;
            if (bound != null && (end == null || bound.compareTo(end) < 0)) {
                readahead.coming(bound, false, leaf.image());
                spans.addFirst(new Span(bound, end));
                end = bound;
            }
            if (leaf.image().header().indexEpoch() >= epoch) {
                count(leaf.image());
            } else {
                due.add(new Due(leaf, new Span(span.low, end)));
            }
            seen++;
        }
        return due;
    }

    /** Creates the first page of an empty collection, so that the first record that arrives meets the mark. */
    private void createRoot() {
        try {
            trees.writer(primary).createRoot(epoch);
        } catch (ConflictException | OutcomeUnknownException other) {
            tasks.sleep(Duration.ofMillis(1 + tasks.random().nextInt(PAUSE_MILLIS_MAX)));
        }
    }

    private void count(PageImage leaf) {
        leaves++;
        for (int i = 0; i < leaf.count(); i++) {
            records += leaf.isTombstone(i) ? 0 : 1;
        }
    }

    /**
     * Writes the entries of the leaves' records, each with the stamp of its record, so that a newer change of the entry
     * wins.
     */
    private void write(List<Due> due, Runnable timely) {
        SortedMap<TreeId, List<RecordChange>> entries = new TreeMap<>();
        for (Due one : due) {
            PageImage leaf = one.leaf.image();
            for (int i = 0; i < leaf.count(); i++) {
                if (!leaf.isTombstone(i)) {
                    add(entries, leaf, i);
                }
            }
        }
        entries.forEach((tree, changes) -> {
            changes.sort(Comparator.comparing(RecordChange::key));
            trees.writer(tree).apply(changes, timely);
        });
    }

    private void add(SortedMap<TreeId, List<RecordChange>> entries, PageImage leaf, int at) {
        Bytes key = leaf.key(at);
        RecordChange pending = new RecordChange.Put(key, Bytes.EMPTY, leaf.stamp(at));
        for (Target target : targets) {
            if (leaf.header().indexEpoch() >= target.stored.added()) {
                continue;
            }
            if (leaf.isReference(at)) {
                // The payload is an object of its own, and fetching one for each record here would cost too much. A
                // scrub does it.
                put(entries, target.pending(), pending);
                continue;
            }
            target.entryOf.apply(key, leaf.payload(at)).ifPresent(entry -> {
                RecordChange put = new RecordChange.Put(
                        entry.key(), entry.included(), false, leaf.expiryMillis(at), leaf.stamp(at));
                // An entry may be too long for the index's pages. Then its record stays pending, and reads find it
                // there.
                boolean fits = trees.writer(target.stored.treeId()).holds(put);
                put(entries, fits ? target.stored.treeId() : target.pending(), fits ? put : pending);
            });
        }
    }

    private static void put(SortedMap<TreeId, List<RecordChange>> entries, TreeId tree, RecordChange change) {
        entries.computeIfAbsent(tree, t -> new ArrayList<>()).add(change);
    }

    /**
     * Marks the leaf as of the epoch, and says whether that succeeded. If not, the leaf was or may have been changed,
     * and must be read again.
     */
    private boolean mark(Due due) {
        try {
            trees.writer(primary).mark(due.leaf, epoch);
            return true;
        } catch (ConflictException | OutcomeUnknownException again) {
            return false;
        }
    }

    private void pauseIfLost(boolean advanced) {
        lostSteps = advanced ? 0 : lostSteps + 1;
        if (lostSteps >= LOST_STEPS_MAX) {
            throw new ConflictException(
                    "other writers kept changing the leaves to be indexed; build again later, it resumes here",
                    "tree",
                    primary,
                    "leaves",
                    leaves);
        }
        if (lostSteps > 1) {
            int bound = Math.min(PAUSE_MILLIS_MAX, 1 << Math.min(lostSteps, 16));
            tasks.sleep(Duration.ofMillis(1 + tasks.random().nextInt(bound)));
        }
    }
}
