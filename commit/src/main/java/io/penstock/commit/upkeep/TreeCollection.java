package io.penstock.commit.upkeep;

import io.penstock.btree.TreeGarbage;
import io.penstock.btree.TreeGarbage.Verdict;
import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.TreeId;
import io.penstock.core.memory.ExternalSort;
import io.penstock.core.memory.Workspace;
import io.penstock.core.page.PageImage;
import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The garbage collection of one tree: pages that were listed and that a walk does not find are suspects, which are
 * judged some at a time. For one run; for one thread at a time; close it when done.
 */
final class TreeCollection implements AutoCloseable {
    /** Suspects that are judged together; for each such part the tree is walked once more. */
    static final int SUSPECTS_MAX = 1 << 14;

    private final TreeId tree;
    private final TreeGarbage garbage;
    private final Workspace room;
    private final ListedPages all;
    private final long newestMillis;
    private final boolean removing;
    private final Map<Verdict, Long> verdicts = new EnumMap<>(Verdict.class);

    /** The youngest pages that are too young to be suspects, the oldest of them first. */
    private final PriorityQueue<ListedPages.Page> youngest =
            new PriorityQueue<>(Comparator.comparingLong(ListedPages.Page::modifiedMillis));

    private @Nullable CorruptDataException damage;
    private long listed;
    private long young;
    private long orphanBytes;

    /** @param newestMillis younger pages are no suspects */
    TreeCollection(TreeId tree, TreeGarbage garbage, Workspace room, long newestMillis, boolean removing) {
        this.tree = tree;
        this.garbage = garbage;
        this.room = room;
        this.all = new ListedPages(room.part(4));
        this.newestMillis = newestMillis;
        this.removing = removing;
    }

    TreeId tree() {
        return tree;
    }

    /**
     * The reason for which the tree is left as it is: the references of its unreadable pages are unknown. Null when it
     * is whole.
     */
    @Nullable
    CorruptDataException damage() {
        return damage;
    }

    /** Takes the tree's pages out of a listing, if they come next. */
    void take(ListedPages pages) {
        listed = pages.drain(tree, all::add);
    }

    /** The number of pages that were listed. */
    long listed() {
        return listed;
    }

    /** The number of pages that are too young to be looked at, or belong to work under way. */
    long young() {
        return young + count(Verdict.UNDER_WAY);
    }

    long count(Verdict verdict) {
        return verdicts.getOrDefault(verdict, 0L);
    }

    long orphanBytes() {
        return orphanBytes;
    }

    /** @param visitor shown every page of the tree */
    TreeCollection run(Consumer<PageImage> visitor) {
        try {
            collect(visitor);
        } catch (CorruptDataException found) {
            damage = found;
        }
        return this;
    }

    private void collect(Consumer<PageImage> visitor) {
        try (ExternalSort reached = room.part(4).sort();
                ListedPages suspects = new ListedPages(room.part(4))) {
            garbage.walk(visitor, number -> reached.add(bytes(number), Bytes.EMPTY, false));
            Reached found = new Reached(reached.sorted());
            all.drain(tree, page -> {
                if (!found.has(page.id().number())) {
                    suspect(page, suspects);
                }
            });
            judge(suspects);
        }
    }

    @Override
    public void close() {
        all.close();
    }

    /** The pages that a walk found, asked for in their order. */
    private static final class Reached {
        private final Iterator<ExternalSort.Item> sorted;
        private Bytes last = Bytes.EMPTY;

        Reached(Iterator<ExternalSort.Item> sorted) {
            this.sorted = sorted;
        }

        boolean has(long number) {
            Bytes wanted = bytes(number);
            while (last.compareTo(wanted) < 0 && sorted.hasNext()) {
                last = sorted.next().key();
            }
            return last.equals(wanted);
        }
    }

    private static Bytes bytes(long number) {
        return Bytes.wrap(ByteBuffer.allocate(Long.BYTES).putLong(number).array());
    }

    private void suspect(ListedPages.Page page, ListedPages suspects) {
        if (page.modifiedMillis() <= newestMillis) {
            suspects.add(page);
            return;
        }
        young++;
        youngest.add(page);
        if (youngest.size() > TreeGarbage.YOUNG_MAX) {
            youngest.remove();
        }
    }

    private void judge(ListedPages suspects) {
        List<Long> underWay = youngest.stream()
                .sorted(Comparator.comparingLong(page -> -page.modifiedMillis()))
                .map(page -> page.id().number())
                .toList();
        Map<Long, Long> part = new TreeMap<>();
        suspects.drain(tree, page -> {
            part.put(page.id().number(), page.bytes());
            if (part.size() == SUSPECTS_MAX) {
                judge(part, underWay);
                part.clear();
            }
        });
        judge(part, underWay);
    }

    private void judge(Map<Long, Long> suspects, List<Long> underWay) {
        Map<Verdict, Set<Long>> judged =
                removing ? garbage.remove(suspects.keySet(), underWay) : garbage.judge(suspects.keySet(), underWay);
        judged.forEach((verdict, pages) -> verdicts.merge(verdict, (long) pages.size(), Long::sum));
        for (long orphan : judged.getOrDefault(Verdict.ORPHAN, Set.of())) {
            orphanBytes += suspects.getOrDefault(orphan, 0L);
        }
    }
}
