package io.penstock;

import io.penstock.btree.BLinkTree;
import io.penstock.commit.query.Candidate;
import io.penstock.commit.query.Conditions;
import io.penstock.commit.query.KeyRanges;
import io.penstock.commit.query.KeyShape;
import io.penstock.commit.query.Summaries;
import io.penstock.core.TreeId;
import io.penstock.core.record.KeyRange;
import io.penstock.query.Condition;
import io.penstock.query.Field;
import io.penstock.query.KeyField;
import io.penstock.query.Query;
import io.penstock.query.QueryPlan.Access;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The ways in which a query of a collection can be answered. For one thread. */
final class QueryWays<K, V> {
    /** The number of requests from which on summaries are looked at. */
    private static final int SUMMARIES_FROM = 4;

    /** The records of a leaf, and one of how many a filter lets pass: for estimates. */
    private static final long LEAF_RECORDS = 32;

    private static final int PASSES = 4;

    /** The most ranges whose sizes are estimated, each by a page on the way to it: a sample of more. */
    private static final int ESTIMATED_MAX = 8;

    /** The most leaves that are read ahead, and the share of the pool for them. */
    private static final long AHEAD_MAX = 64;

    private static final long POOL_SHARE = 10;

    private final RecordCollection<K, V> collection;
    private final List<Field<?>> declared;
    private boolean indexed = true;

    QueryWays(RecordCollection<K, V> collection) {
        this.collection = collection;
        this.declared = collection.fields().all();
    }

    /** Uses no index from now on. */
    void leaveOutIndexes() {
        indexed = false;
    }

    boolean areWithoutIndexes() {
        return !indexed;
    }

    /** The index of a name. */
    Index<?, K, V> index(String name) {
        return collection.indexes().stream()
                .filter(index -> index.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** The summaries of the leaves in some ranges. */
    Summaries summaries(List<KeyRange> ranges, Query query) {
        return Summaries.of(collection.store().summaries(), collection.tree(), ranges, query);
    }

    /**
     * The cheapest way.
     *
     * @param needed the fields that the answer needs; null: whole records
     * @param costed whether its cost must be known, also where there is no choice
     */
    Candidate choose(Query query, @Nullable List<Field<?>> needed, boolean costed) {
        Set<Field<?>> fields = Conditions.fields(query.where());
        fields.forEach(collection.fields()::require);
        KeyRange part = new KeyRange(query.from(), query.to());
        boolean whole = part.equals(KeyRange.all());
        KeyShape shape = KeyShape.of(collection.keys().name());
        List<KeyRange> ranges = KeyRanges.within(part, KeyRanges.ofKeys(shape, declared, query.where()));
        boolean points = ranges.stream().allMatch(KeyRanges::isPoint);
        List<Candidate> candidates = points || !whole ? new ArrayList<>() : byIndexes(query, fields, needed);
        boolean summed = query.isCount() || query.order() != null;
        boolean free = candidates.isEmpty() && !costed && (points || fields.isEmpty() && !summed);
        long leaves = free ? 0 : leaves(collection.tree(), ranges);
        candidates.addFirst(byKeys(query, fields, ranges, leaves));
        // Leaves that are partly within a part of a query are not counted, nor put in order, by their summaries.
        boolean helped = summed ? whole : !fields.isEmpty();
        if (helped && Candidate.cheapest(candidates).plan().requests() >= SUMMARIES_FROM) {
            candidates.add(bySummaries(query, ranges, leaves));
        }
        return Candidate.cheapest(candidates);
    }

    private List<Candidate> byIndexes(Query query, Set<Field<?>> fields, @Nullable List<Field<?>> needed) {
        List<Candidate> candidates = new ArrayList<>();
        for (Index<?, K, V> index : collection.indexes()) {
            if (indexed && index.isUsable()) {
                boolean covers = needed != null
                        && index.carrying(needed).isPresent()
                        && index.carrying(fields).isPresent();
                entries(index, query.where()).ifPresent(entries -> candidates.add(byIndex(index, entries, covers)));
                inOrder(index, query, fields, covers).ifPresent(candidates::add);
            }
        }
        return candidates;
    }

    private Candidate byKeys(Query query, Set<Field<?>> fields, List<KeyRange> ranges, long leaves) {
        Query.Order order = query.order();
        boolean ordered = order != null && order.by() instanceof KeyField<?> key && (key.isWhole() || key.part() == 0);
        if (!ordered) {
            return Candidate.keys(ranges, leaves, leafBytes());
        }
        long wanted = leavesOf(query.limit()) * (fields.isEmpty() ? 1 : PASSES);
        return Candidate.keys(ranges, Math.min(leaves, wanted), leafBytes()).inOrder();
    }

    private static long leavesOf(long records) {
        return records / LEAF_RECORDS + 1;
    }

    private Candidate bySummaries(Query query, List<KeyRange> ranges, long leaves) {
        Summaries summaries = summaries(ranges, query);
        long pages = leaves(collection.tree(), List.of(KeyRange.all()));
        long known = summaries.leaves().size();
        return Candidate.summaries(
                ranges,
                Math.max(leaves, known),
                known - summaries.expected(query).size(),
                pages,
                leafBytes());
    }

    private Optional<List<KeyRange>> entries(Index<?, K, V> index, Condition condition) {
        return declared.stream()
                .filter(index::isBy)
                .findFirst()
                .flatMap(field -> KeyRanges.ofEntries(field, condition));
    }

    private Candidate byIndex(Index<?, K, V> index, List<KeyRange> ranges, boolean covers) {
        BLinkTree tree = tree(index.in(collection.lastKnown()).treeId());
        BLinkTree.Estimate size = size(tree, ranges, true);
        return byIndex(index, ranges, size.leaves(), size.entries(), covers);
    }

    private Candidate byIndex(Index<?, K, V> index, List<KeyRange> ranges, long leaves, long records, boolean covers) {
        long most = covers ? 0 : leaves(collection.tree(), List.of(KeyRange.all()));
        Access access = covers ? Access.COVERING : Access.INDEX;
        return Candidate.index(access, index.name(), ranges, leaves, Math.min(records, most), leafBytes());
    }

    /**
     * The way by an index in the order of a query; only if it has all records that the query finds, and the condition
     * asks for nothing that is not among its entries, so that no records are read in vain.
     */
    private Optional<Candidate> inOrder(Index<?, K, V> index, Query query, Set<Field<?>> fields, boolean covers) {
        Query.Order order = query.order();
        if (order == null
                || !index.isBy(order.by())
                || !covers && !Set.of(order.by()).containsAll(fields)) {
            return Optional.empty();
        }
        return KeyRanges.ofEntries(order.by(), query.where())
                .or(() -> Optional.of(List.of(KeyRange.all()))
                        .filter(all -> !order.by().isNullable() || KeyRanges.excludesNull(order.by(), query.where())))
                .map(ranges -> byIndex(index, ranges, leavesOf(query.limit()), query.limit(), covers)
                        .inOrder());
    }

    private long leaves(TreeId id, List<KeyRange> ranges) {
        return size(tree(id), ranges, false).leaves();
    }

    /** The size of some ranges, by a sample of them; no more leaves than from the first to the last. */
    private static BLinkTree.Estimate size(BLinkTree tree, List<KeyRange> ranges, boolean exact) {
        int sampled = Math.min(ranges.size(), ESTIMATED_MAX);
        long leaves = 0;
        long entries = 0;
        for (int i = 0; i < sampled; i++) {
            // From the middles of parts of about as many ranges.
            KeyRange range = ranges.get((int) ((2L * i + 1) * ranges.size() / (2L * sampled)));
            BLinkTree.Estimate estimate = tree.estimate(range, exact);
            leaves += estimate.leaves();
            entries += estimate.entries();
        }
        if (sampled == ranges.size()) {
            return new BLinkTree.Estimate(leaves, entries);
        }
        KeyRange span = new KeyRange(ranges.getFirst().from(), ranges.getLast().to());
        long most = tree.estimate(span, false).leaves();
        return new BLinkTree.Estimate(
                Math.min(most, leaves * ranges.size() / sampled), entries * ranges.size() / sampled);
    }

    BLinkTree tree(TreeId id) {
        return collection.parts().indexing().trees().foreground().reader(id);
    }

    /** The number of leaves that a scan of many ranges reads ahead. */
    int aheadMax() {
        long room = collection.poolBytes() / POOL_SHARE / Math.max(1, leafBytes());
        return (int) Math.clamp(room, 1, AHEAD_MAX);
    }

    long leafBytes() {
        return collection.lastKnown().leafBytesTarget();
    }
}
