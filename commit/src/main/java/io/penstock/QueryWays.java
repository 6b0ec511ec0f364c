package io.penstock;

import io.penstock.btree.BLinkTree;
import io.penstock.commit.query.Candidate;
import io.penstock.commit.query.Conditions;
import io.penstock.commit.query.KeyRanges;
import io.penstock.commit.query.KeyShape;
import io.penstock.commit.query.Summaries;
import io.penstock.commit.query.SummaryReading;
import io.penstock.commit.session.KnownLeaf;
import io.penstock.commit.session.RecordReader;
import io.penstock.core.TreeId;
import io.penstock.core.record.Direction;
import io.penstock.core.record.KeyRange;
import io.penstock.core.task.Parallel;
import io.penstock.query.Condition;
import io.penstock.query.Field;
import io.penstock.query.KeyField;
import io.penstock.query.Query;
import io.penstock.query.QueryPlan.Access;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The ways in which a query of a collection can be answered. For one thread. */
final class QueryWays<K, V> {
    /** The number of requests from which on summaries are looked at. */
    private static final int SUMMARIES_FROM = 4;

    /** The records of a leaf, and one of how many a filter lets pass: for estimates. */
    private static final long LEAF_RECORDS = 32;

    private static final int PASSES = 4;

    /** The part of the leaves of a query that a listing may cost which is not known to pay. */
    private static final long LISTING_SHARE = 40;

    /** The most ranges whose sizes are estimated, each by a page on the way to it: a sample of more. */
    private static final int ESTIMATED_MAX = 8;

    private final RecordCollection<K, V> collection;
    private final Reads reads;
    private final List<Field<?>> declared;
    private boolean indexed = true;
    private @Nullable SummaryReading reading;
    private @Nullable Summaries summaries;
    private RecordReader.@Nullable Unchanged unchanged;
    private long listed = -1;

    QueryWays(RecordCollection<K, V> collection, Reads reads) {
        this.collection = collection;
        this.reads = reads;
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
        Summaries known = summaries;
        if (known == null) {
            known = reading().all(ranges, query);
            summaries = known;
        }
        return known;
    }

    private SummaryReading reading() {
        SummaryReading begun = reading;
        if (begun == null) {
            begun = collection.store().summaries().read(collection.tree());
            reading = begun;
        }
        return begun;
    }

    /** The finding of leaves in some ranges that are as they were; it begins with the first call. */
    RecordReader.Unchanged unchanged(List<KeyRange> ranges) {
        RecordReader.Unchanged begun = unchanged;
        if (begun == null) {
            KeyRange all =
                    new KeyRange(ranges.getFirst().from(), ranges.getLast().to());
            begun = reads.reader().get().unchanged(collection.tree(), all, pages(), reads.writes());
            unchanged = begun;
        }
        return begun;
    }

    private long pages() {
        return tree(collection.tree()).leaves();
    }

    /** Begins, beside the pages for an estimate, what summaries need that will probably be looked at. */
    private void begin(List<KeyRange> ranges, boolean planned) {
        long leaves =
                ranges.stream().mapToLong(tree(collection.tree())::wideLeaves).sum();
        if (leaves == 0) {
            return;
        }
        boolean isNew = collection.store().summaries().isNew(collection.tree());
        var unused = reading();
        // Where nothing is known of summaries, a listing that costs little beside the leaves is worth a try.
        Candidate listing = Candidate.summaries(ranges, leaves, leaves, listed(), leafBytes());
        if (isNew && !planned && listing.isCheaperThan(Candidate.keys(ranges, leaves / LISTING_SHARE, leafBytes()))) {
            var unusedListing = unchanged(ranges);
        }
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
        // Leaves that are partly within a part of a query are not counted, nor put in order, by their summaries.
        boolean helped = summed ? whole : !fields.isEmpty();
        if (helped && candidates.isEmpty() && first(query, fields, SUMMARIES_FROM) >= SUMMARIES_FROM) {
            begin(ranges, costed);
        }
        long leaves = free ? 0 : leaves(collection.tree(), ranges);
        candidates.addFirst(byKeys(query, fields, ranges, leaves));
        Candidate cheapest = Candidate.cheapest(candidates);
        if (helped && cheapest.plan().requests() >= SUMMARIES_FROM) {
            Skipping skipping = new Skipping(ranges, leaves, listed(), leafBytes());
            if (skipping.of(leaves).isCheaperThan(cheapest)) {
                candidates.add(bySummaries(query, skipping, cheapest, costed));
            }
        }
        return Candidate.cheapest(candidates);
    }

    /** The ways by summaries, whose costs differ by the leaves that they skip. */
    private record Skipping(List<KeyRange> ranges, long leaves, long pages, long leafBytes) {
        Candidate of(long skipped) {
            return Candidate.summaries(ranges, leaves, skipped, pages, leafBytes);
        }
    }

    /** The number of pages whose versions must be listed, as of when it is asked first. */
    private long listed() {
        if (listed < 0) {
            listed = reads.reader().get().isListed(collection.tree()) ? 0 : pages();
        }
        return listed;
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
        Candidate keys = Candidate.keys(ranges, first(query, fields, leaves), leafBytes());
        return isInKeyOrder(query) ? keys.inOrder() : keys;
    }

    private static boolean isInKeyOrder(Query query) {
        Query.Order order = query.order();
        return order != null && order.by() instanceof KeyField<?> key && (key.isWhole() || key.part() == 0);
    }

    /** The number of leaves that a scan by keys reads: of some, the first ones if it is in the order of the query. */
    private static long first(Query query, Set<Field<?>> fields, long leaves) {
        long wanted = leavesOf(query.limit()) * (fields.isEmpty() ? 1 : PASSES);
        return isInKeyOrder(query) ? Math.min(leaves, wanted) : leaves;
    }

    private static long leavesOf(long records) {
        return records / LEAF_RECORDS + 1;
    }

    /**
     * The way by summaries.
     *
     * @param other the cheapest of the others
     * @param planned whether the query is only planned
     */
    private Candidate bySummaries(Query query, Skipping skipping, Candidate other, boolean planned) {
        Summaries first = reading().first(skipping.ranges, query);
        long known = first.leaves().size();
        long skipped = known == 0 ? 0 : first.skipped(query) * skipping.leaves / known;
        if (!planned && skipping.of(skipped).isCheaperThan(other)) {
            var unused = unchanged(skipping.ranges); // while other summaries are read
            first.expected(query).stream()
                    .limit(query.order() == null && other.plan().access() == Access.KEYS ? certain(query) : 0)
                    .forEach(leaf -> prefetch(leaf.leaf()));
        }
        return skipping.of(summaries(skipping.ranges, query).skipped(query));
    }

    /** The number of leaves that a query reads, if it needs some, whatever others have. */
    private int certain(Query query) {
        return Reads.ahead(collection, query.limit() > 0, range -> {}).first();
    }

    /** Starts to read a leaf. */
    void prefetch(KnownLeaf leaf) {
        reads.reader().get().prefetch(collection.tree(), leaf.range(), Direction.ASCENDING, leaf.page());
    }

    private static Optional<List<KeyRange>> entries(Index<?, ?, ?> index, Condition condition) {
        return index.fields().isEmpty() ? Optional.empty() : KeyRanges.ofEntries(index.fields(), condition);
    }

    private Candidate byIndex(Index<?, K, V> index, List<KeyRange> ranges, boolean covers) {
        BLinkTree tree = tree(index.in(collection.lastKnown()).treeId());
        BLinkTree.Estimate size = size(tree, ranges, true);
        return byIndex(index, ranges, size.leaves(), size.entries(), covers);
    }

    private Candidate byIndex(Index<?, K, V> index, List<KeyRange> ranges, long leaves, long records, boolean covers) {
        long most = covers ? 0 : leaves(collection.tree(), List.of(KeyRange.all()));
        Access access = covers ? Access.COVERING : Access.INDEX;
        return Candidate.index(access, index.name(), ranges, leaves, leavesOf(records, most), leafBytes());
    }

    /** The number of leaves in which some records are, if they are spread evenly over {@code most}. */
    private static long leavesOf(long records, long most) {
        return most == 0 ? 0 : (long) Math.ceil(-most * Math.expm1(records * Math.log1p(-1.0 / most)));
    }

    /**
     * The way by an index in the order of a query; only if it has all records that the query finds, and the condition
     * asks for nothing that is not among its entries, so that no records are read in vain. Of an index by several
     * fields the order's may come after those of which the condition wants one value.
     */
    private Optional<Candidate> inOrder(Index<?, K, V> index, Query query, Set<Field<?>> fields, boolean covers) {
        Query.Order order = query.order();
        int place = order == null ? -1 : index.fields().indexOf(order.by());
        if (place < 0
                || !covers && !index.fields().containsAll(fields)
                || !KeyRanges.arePoints(index.fields().subList(0, place), query.where())) {
            return Optional.empty();
        }
        Field<?> first = index.fields().getFirst();
        return KeyRanges.ofEntries(index.fields(), query.where())
                .or(() -> Optional.of(List.of(KeyRange.all()))
                        .filter(all -> !first.isNullable() || KeyRanges.excludesNull(first, query.where())))
                .map(ranges -> byIndex(index, ranges, leavesOf(query.limit()), query.limit(), covers)
                        .inOrder());
    }

    private long leaves(TreeId id, List<KeyRange> ranges) {
        return size(tree(id), ranges, false).leaves();
    }

    /** The size of some ranges, by a sample of them; no more leaves than from the first to the last. */
    private BLinkTree.Estimate size(BLinkTree tree, List<KeyRange> ranges, boolean exact) {
        int sampled = Math.min(ranges.size(), ESTIMATED_MAX);
        // From the middles of parts of about as many ranges.
        List<KeyRange> sample = IntStream.range(0, sampled)
                .mapToObj(i -> ranges.get((int) ((2L * i + 1) * ranges.size() / (2L * sampled))))
                .toList();
        List<BLinkTree.Estimate> estimates =
                Parallel.map(collection.parts().tasks(), ESTIMATED_MAX, sample, range -> tree.estimate(range, exact));
        long leaves = estimates.stream().mapToLong(BLinkTree.Estimate::leaves).sum();
        long entries = estimates.stream().mapToLong(BLinkTree.Estimate::entries).sum();
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

    long leafBytes() {
        return collection.lastKnown().leafBytesTarget();
    }
}
