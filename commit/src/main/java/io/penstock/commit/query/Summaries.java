package io.penstock.commit.query;

import io.penstock.commit.query.Filter.Truth;
import io.penstock.commit.session.KnownLeaf;
import io.penstock.core.Bytes;
import io.penstock.core.record.KeyRange;
import io.penstock.query.Condition;
import io.penstock.query.Field;
import io.penstock.query.Query;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The summaries of the leaves in some ranges, asked with a query. They hold as long as the leaves are as they were.
 * Immutable.
 *
 * @param leaves in the order of their keys; one may be there twice
 */
public record Summaries(List<Leaf> leaves) {
    /** The records that an estimate takes for those that pass a filter: one of so many. */
    private static final int PASSES = 4;

    /**
     * A leaf, judged by its summary.
     *
     * @param holds true if each record fulfils the condition, and none expires; false if no record fulfils it
     * @param records their number
     * @param first the bound of its values that comes first in the order of the query, as bytes; null for null. Of a
     *     count by a field, a bound of this field's values
     * @param last the bound that comes last
     */
    public record Leaf(
            KnownLeaf leaf,
            Truth holds,
            long records,
            @Nullable Bytes first,
            @Nullable Bytes last) {
        private boolean isDecided(Query query) {
            boolean single = query.countedBy() == null || first != null && first.equals(last);
            return holds == Truth.FALSE || query.isCount() && holds == Truth.TRUE && single;
        }
    }

    /**
     * Asks the summaries of a tree.
     *
     * @param ranges of keys that matter
     */
    static Summaries of(List<SummaryPart> parts, List<KeyRange> ranges, Query query) {
        Condition normal = Conditions.normal(query.where());
        Query.Order order = query.order();
        Field<?> by = order == null ? query.countedBy() : order.by();
        boolean nulls = by != null && Extent.of(by, normal).nulls();
        boolean descending = order != null && order.descending();
        List<Leaf> leaves = new ArrayList<>();
        for (SummaryPart part : parts) {
            Pruning pruning = new Pruning(normal, part.fields());
            for (LeafSummary leaf : part.leaves()) {
                KeyRange range = leaf.leaf().range();
                if (ranges.stream()
                        .anyMatch(wanted -> !Extent.common(wanted, range).isEmpty())) {
                    leaves.add(judged(leaf, pruning, part.fields(), by, nulls, descending));
                }
            }
        }
        leaves.sort(Comparator.comparing(leaf -> leaf.leaf().range().from()));
        return new Summaries(leaves);
    }

    /** @param nulls whether records count in which the field of the order is null */
    private static Leaf judged(
            LeafSummary leaf,
            Pruning pruning,
            List<SummaryPart.Named> fields,
            @Nullable Field<?> by,
            boolean nulls,
            boolean descending) {
        Truth holds = pruning.of(leaf);
        Truth counts = holds == Truth.TRUE && leaf.expires() ? Truth.UNKNOWN : holds;
        // Without a field, or a summary of it, the values may be any.
        int at = by == null ? -1 : fields.indexOf(SummaryPart.Named.of(by));
        FieldStats stats = at < 0 ? null : leaf.fields(fields.size()).get(at);
        Bytes least = stats == null ? Bytes.EMPTY : stats.min();
        Bytes greatest = stats == null || nulls && stats.nulls() > 0 ? null : stats.max();
        return new Leaf(
                leaf.leaf(), counts, leaf.records(), descending ? greatest : least, descending ? least : greatest);
    }

    /** The leaves that must be proven to be as they were, if a query is to read less. */
    public List<KnownLeaf> asked(Query query) {
        return leaves.stream()
                .filter(leaf -> query.order() != null || leaf.isDecided(query))
                .map(Leaf::leaf)
                .toList();
    }

    /** The summaries of some of these leaves, each once. */
    public Summaries only(List<KnownLeaf> proven) {
        Set<KnownLeaf> left = new HashSet<>(proven);
        return new Summaries(
                leaves.stream().filter(leaf -> left.remove(leaf.leaf)).toList());
    }

    /** The ranges of the leaves. */
    public List<KeyRange> ranges() {
        return leaves.stream().map(leaf -> leaf.leaf.range()).toList();
    }

    /** The numbers of records that a count need not read, by the bytes of the value that they have; empty for any. */
    public Map<Bytes, Long> counts(Query query) {
        boolean any = query.countedBy() == null;
        Map<Bytes, Long> counts = new HashMap<>();
        for (Leaf leaf : leaves) {
            if (leaf.holds == Truth.TRUE && leaf.isDecided(query)) {
                counts.merge(any ? Bytes.EMPTY : Objects.requireNonNull(leaf.first), leaf.records, Long::sum);
            }
        }
        return counts;
    }

    /** The leaves that a query reads, of one with an order in this. */
    public List<Leaf> undecided(Query query) {
        List<Leaf> left = new ArrayList<>(
                leaves.stream().filter(leaf -> !leaf.isDecided(query)).toList());
        Query.Order order = query.order();
        if (order != null) {
            left.sort((one, other) -> Top.compare(order, one.first, other.first));
        }
        return left;
    }

    /** The number of leaves that a query will probably not read. */
    public long skipped(Query query) {
        return leaves.size() - expected(query).size();
    }

    /** The leaves that a query will probably read, in this order. */
    public List<Leaf> expected(Query query) {
        List<Leaf> left = undecided(query);
        Query.Order order = query.order();
        long records = 0;
        long certain = 0;
        Bytes last = null;
        for (int i = 0; order != null && i < left.size(); i++) {
            Leaf leaf = left.get(i);
            boolean filled = records >= query.limit() && Top.compare(order, leaf.first, last) > 0;
            // A leaf has a record at its bound: of so many leaves, none after is among the first.
            if (filled || certain >= query.limit()) {
                return left.subList(0, i);
            }
            certain += leaf.holds == Truth.TRUE ? 1 : 0;
            last = i == 0 || Top.compare(order, leaf.last, last) > 0 ? leaf.last : last;
            records += leaf.holds == Truth.TRUE ? leaf.records : leaf.records / PASSES;
        }
        return left;
    }

    /**
     * The leaves that a query will probably read, by where they begin: of these, which are proven, and of others.
     *
     * @param all these and those that are not proven
     */
    public NavigableMap<Bytes, KnownLeaf> expected(Query query, Summaries all) {
        Set<KnownLeaf> proven = new HashSet<>();
        leaves.forEach(leaf -> proven.add(leaf.leaf));
        NavigableMap<Bytes, KnownLeaf> read = new TreeMap<>();
        Stream.concat(all.leaves.stream().filter(leaf -> !proven.contains(leaf.leaf)), expected(query).stream())
                .forEach(leaf -> read.put(leaf.leaf.range().from(), leaf.leaf));
        return read;
    }
}
