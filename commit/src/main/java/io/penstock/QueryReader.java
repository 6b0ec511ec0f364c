package io.penstock;

import io.penstock.btree.BLinkTree;
import io.penstock.commit.query.Candidate;
import io.penstock.commit.query.Conditions;
import io.penstock.commit.query.Filter;
import io.penstock.commit.query.KeyRanges;
import io.penstock.commit.query.KeyShape;
import io.penstock.commit.query.Progress;
import io.penstock.commit.query.RangesScan;
import io.penstock.commit.query.Subject;
import io.penstock.commit.query.Summaries;
import io.penstock.commit.session.RecordReader;
import io.penstock.commit.settings.Bounds;
import io.penstock.core.Bytes;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.TreeId;
import io.penstock.core.record.Direction;
import io.penstock.core.record.KeyRange;
import io.penstock.query.Condition;
import io.penstock.query.Field;
import io.penstock.query.Query;
import io.penstock.query.QueryPlan;
import io.penstock.query.QueryPlan.Access;
import io.penstock.query.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The read path of queries: the choice of a way to the records, and that way. For one thread. */
final class QueryReader<K, V> {
    /** The number of requests from which on summaries are looked at. */
    private static final int SUMMARIES_FROM = 4;

    private final RecordCollection<K, V> collection;
    private final Reads reads;
    private final Progress progress;
    private final List<Field<?>> declared;

    /** Whether indexes may be used. */
    private boolean indexed = true;

    QueryReader(RecordCollection<K, V> collection, Reads reads, Progress progress) {
        this.collection = collection;
        this.reads = reads;
        this.progress = progress;
        this.declared = collection.fields().all();
    }

    /** The records that fulfil a condition. */
    Scan<Entry<K, V>> find(Condition condition) {
        Query query = Query.where(Bounds.requirePresent("condition", condition));
        return open(query, null, subject -> new Entry<>(subject.key(), subject.value()));
    }

    /** The rows of a query. */
    Scan<Row> rows(Query query) {
        List<Field<?>> selected = selected(query);
        return open(query, selected, subject -> subject.row(selected));
    }

    private List<Field<?>> selected(Query query) {
        List<Field<?>> fields = Bounds.requirePresent("query", query).fields();
        fields.forEach(collection.fields()::require);
        return fields.isEmpty() ? declared : fields;
    }

    /**
     * Divides a query into parts of about equal size, by the separators of inner pages.
     *
     * @param most the largest number of parts
     */
    List<Query> parts(Query query, int most) {
        Candidate chosen = choose(query, selected(query), true);
        List<KeyRange> ranges = chosen.ranges();
        boolean divided = chosen.plan().access() == Access.KEYS || chosen.plan().access() == Access.SUMMARIES;
        if (!divided || most < 2) {
            return List.of(query);
        }
        KeyRange span = new KeyRange(ranges.getFirst().from(), ranges.getLast().to());
        List<Query> parts = new ArrayList<>();
        Bytes from = query.from();
        for (Bytes separator : tree(collection.tree()).separators(span, most - 1)) {
            parts.add(query.within(from, separator));
            from = separator;
        }
        parts.add(query.within(from, query.to()));
        return parts;
    }

    /** The plan of a query for rows. */
    QueryPlan plan(Query query) {
        return choose(query, selected(query), true).plan();
    }

    /** @param selected the fields that the answer needs; null: whole records */
    private <T> Scan<T> open(Query query, @Nullable List<Field<?>> selected, Function<Subject<K, V>, T> make) {
        Candidate chosen = choose(query, selected, false);
        progress.follow(chosen.plan(), leafBytes());
        Filter filter = new Filter(query.where());
        KeySpan<?> span = query.limit() == 0 ? KeySpan.all() : KeySpan.all().limit(query.limit());
        try {
            return open(chosen, query, span, filter, make);
        } catch (InvalidRequestException failure) {
            if (!indexed || failure.code() != ErrorCode.INDEX_NOT_READY) {
                throw failure;
            }
            indexed = false; // it was dropped meanwhile
            return open(query, selected, make);
        }
    }

    private <T> Scan<T> open(
            Candidate chosen, Query query, KeySpan<?> span, Filter filter, Function<Subject<K, V>, T> make) {
        return switch (chosen.plan().access()) {
            case INDEX -> byIndex(index(chosen.plan().by()), chosen.ranges(), span, filter, make);
            case COVERING -> byEntries(index(chosen.plan().by()), chosen.ranges(), span, filter, make);
            case SUMMARIES -> bySummaries(query, chosen.ranges(), span, filter, make);
            case NOTHING, KEYS -> byKeys(chosen.ranges(), coming -> {}, span, filter, make);
        };
    }

    private <T> Scan<T> bySummaries(
            Query query, List<KeyRange> ranges, KeySpan<?> span, Filter filter, Function<Subject<K, V>, T> make) {
        RecordReader reader = reads.reader().get();
        TreeId tree = collection.tree();
        Summaries summaries = summaries(ranges, query);
        List<KeyRange> skipped = reader.unchanged(tree, summaries.impossible(), reads.writes());
        progress.skip(skipped.size());
        TreeMap<Bytes, Long> leaves = new TreeMap<>();
        summaries.possible().forEach(leaf -> leaves.put(leaf.range().from(), leaf.page()));
        Consumer<KeyRange> coming = range -> Optional.ofNullable(leaves.floorEntry(range.from()))
                .ifPresent(leaf -> reader.prefetch(tree, leaf.getValue()));
        return byKeys(KeyRanges.without(ranges, skipped), coming, span, filter, make);
    }

    private Summaries summaries(List<KeyRange> ranges, Query query) {
        return Summaries.of(collection.store().summaries(), collection.tree(), ranges, query.where());
    }

    private <T> Scan<T> byKeys(
            List<KeyRange> ranges,
            Consumer<KeyRange> coming,
            KeySpan<?> span,
            Filter filter,
            Function<Subject<K, V>, T> make) {
        RecordReader reader = reads.reader().get();
        TreeId tree = collection.tree();
        return new QueryScan<>(
                new RangesScan(ranges, coming, range -> reader.scan(tree, range, Direction.ASCENDING, reads.writes())),
                collection,
                span,
                filter,
                make,
                reads.times(),
                (key, reference) -> reader.large(tree, key, reference, reads.writes()));
    }

    private <I, T> Scan<T> byIndex(
            Index<I, K, V> index,
            List<KeyRange> ranges,
            KeySpan<?> span,
            Filter filter,
            Function<Subject<K, V>, T> make) {
        Subject<K, V> subject = collection.subject();
        return new IndexReader<>(index, reads).query(ranges, span, entry -> {
            Bytes key = collection.keys().encode(entry.key());
            subject.at(key, entry.key(), entry.value());
            return filter.matches(subject) ? Optional.of(make.apply(subject)) : Optional.empty();
        });
    }

    private <I, T> Scan<T> byEntries(
            Index<I, K, V> index,
            List<KeyRange> ranges,
            KeySpan<?> span,
            Filter filter,
            Function<Subject<K, V>, T> make) {
        Subject<K, V> subject = collection.subject();
        CoveringIndex<I, K, V, Row> covering =
                index.carrying(List.of()).orElseThrow().covering();
        return new IndexReader<>(index, reads).query(covering, ranges, span, entry -> {
            subject.at(collection.keys().encode(entry.key()), entry.value());
            return filter.matches(subject) ? Optional.of(make.apply(subject)) : Optional.empty();
        });
    }

    private Index<?, K, V> index(String name) {
        return collection.indexes().stream()
                .filter(index -> index.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /**
     * The cheapest way.
     *
     * @param selected the fields that the answer needs; null: whole records
     * @param costed whether its cost must be known, also where there is no choice
     */
    private Candidate choose(Query query, @Nullable List<Field<?>> selected, boolean costed) {
        Set<Field<?>> fields = Conditions.fields(query.where());
        fields.forEach(collection.fields()::require);
        KeyShape shape = KeyShape.of(collection.keys().name());
        KeyRange part = new KeyRange(query.from(), query.to());
        List<KeyRange> ranges = KeyRanges.within(part, KeyRanges.ofKeys(shape, declared, query.where()));
        List<Candidate> candidates = new ArrayList<>();
        boolean points = ranges.stream().allMatch(KeyRanges::isPoint);
        List<Index<?, K, V>> indexes = points || !indexed || !part.equals(KeyRange.all())
                ? List.of()
                : collection.indexes().stream().filter(Index::isUsable).toList();
        for (Index<?, K, V> index : indexes) {
            boolean covers = selected != null
                    && index.carrying(selected).isPresent()
                    && index.carrying(fields).isPresent();
            entries(index, query.where()).ifPresent(entries -> candidates.add(byIndex(index, entries, covers)));
        }
        boolean free = candidates.isEmpty() && !costed && (points || fields.isEmpty());
        long leaves = free ? 0 : leaves(collection.tree(), ranges);
        candidates.addFirst(Candidate.keys(ranges, leaves, leafBytes()));
        if (!fields.isEmpty() && Candidate.cheapest(candidates).plan().requests() >= SUMMARIES_FROM) {
            candidates.add(bySummaries(query, ranges, leaves));
        }
        return Candidate.cheapest(candidates);
    }

    private Candidate bySummaries(Query query, List<KeyRange> ranges, long leaves) {
        Summaries summaries = summaries(ranges, query);
        long pages = leaves(collection.tree(), List.of(KeyRange.all()));
        long known = summaries.impossible().size() + (long) summaries.possible().size();
        return Candidate.summaries(
                ranges, Math.max(leaves, known), summaries.impossible().size(), pages, leafBytes());
    }

    private Optional<List<KeyRange>> entries(Index<?, K, V> index, Condition condition) {
        return declared.stream()
                .filter(index::isBy)
                .findFirst()
                .flatMap(field -> KeyRanges.ofEntries(field, condition));
    }

    private Candidate byIndex(Index<?, K, V> index, List<KeyRange> ranges, boolean covers) {
        BLinkTree tree = tree(index.in(collection.lastKnown()).treeId());
        long leaves = 0;
        long records = 0;
        for (KeyRange range : ranges) {
            BLinkTree.Estimate estimate = tree.estimate(range, true);
            leaves += estimate.leaves();
            records += estimate.entries();
        }
        long most = covers ? 0 : leaves(collection.tree(), List.of(KeyRange.all()));
        Access access = covers ? Access.COVERING : Access.INDEX;
        return Candidate.index(access, index.name(), ranges, leaves, Math.min(records, most), leafBytes());
    }

    private long leaves(TreeId id, List<KeyRange> ranges) {
        BLinkTree tree = tree(id);
        return ranges.stream()
                .mapToLong(range -> tree.estimate(range, false).leaves())
                .sum();
    }

    private BLinkTree tree(TreeId id) {
        return collection.parts().indexing().trees().foreground().reader(id);
    }

    private long leafBytes() {
        return collection.lastKnown().leafBytesTarget();
    }
}
