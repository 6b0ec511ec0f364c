package io.penstock;

import io.penstock.commit.query.Candidate;
import io.penstock.commit.query.Filter;
import io.penstock.commit.query.LeavesLeft;
import io.penstock.commit.query.Progress;
import io.penstock.commit.query.RangesScan;
import io.penstock.commit.query.Subject;
import io.penstock.commit.query.Summaries;
import io.penstock.commit.query.Top;
import io.penstock.commit.session.RecordReader;
import io.penstock.commit.settings.Bounds;
import io.penstock.core.Bytes;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.TreeId;
import io.penstock.core.record.KeyRange;
import io.penstock.query.Condition;
import io.penstock.query.Field;
import io.penstock.query.FieldType;
import io.penstock.query.Query;
import io.penstock.query.QueryPlan;
import io.penstock.query.QueryPlan.Access;
import io.penstock.query.Row;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The read path of queries, by the way to the records that costs least. For one thread, and one query. */
final class QueryReader<K, V> {
    private final RecordCollection<K, V> collection;
    private final Reads reads;
    private final Progress progress;
    private final QueryWays<K, V> ways;

    /** The rows of an order so far. */
    private @Nullable Top top;

    /** The records that a count knows of by summaries. */
    private Map<Bytes, Long> known = Map.of();

    QueryReader(RecordCollection<K, V> collection, Reads reads, Progress progress) {
        this.collection = collection;
        this.reads = reads;
        this.progress = progress;
        this.ways = new QueryWays<>(collection, reads);
    }

    /** The records that fulfil a condition. */
    Scan<Entry<K, V>> find(Condition condition) {
        Query query = Query.where(Bounds.requirePresent("condition", condition));
        return open(query, null, subject -> new Entry<>(subject.key(), subject.value()));
    }

    /** The rows of a query. */
    Scan<Row> rows(Query query) {
        List<Field<?>> selected = selected(query);
        Query.Order order = query.order();
        if (query.isCount()) {
            Field<?> by = query.countedBy();
            return new LateScan<>(() ->
                    by == null ? List.of(new Row(query.fields(), new Object[] {count(query)})) : counts(query, by));
        }
        if (order != null) {
            return new LateScan<>(() -> first(query, order, selected));
        }
        return open(query, selected, subject -> subject.row(selected));
    }

    private List<Field<?>> selected(Query query) {
        Bounds.requirePresent("query", query);
        Query.Order order = query.order();
        if (order != null) {
            collection.fields().require(order.by());
            if (query.limit() == 0) {
                throw new InvalidRequestException(
                        "a query with an order needs a limit, since its rows are held in memory", "by", order.by());
            }
        }
        if (query.isCount()) {
            List<Field<?>> by = query.fields().subList(0, query.fields().size() - 1);
            by.forEach(collection.fields()::require);
            return by;
        }
        query.fields().forEach(collection.fields()::require);
        return query.fields().isEmpty() ? collection.fields().all() : query.fields();
    }

    /**
     * Divides a query into parts of about equal size, by the separators of inner pages. A count, or a query with an
     * order, stays whole.
     *
     * @param most the largest number of parts
     */
    List<Query> parts(Query query, int most) {
        Candidate chosen = ways.choose(query, selected(query), true);
        List<KeyRange> ranges = chosen.ranges();
        Access access = chosen.plan().access();
        boolean byKeys = access == Access.KEYS || access == Access.SUMMARIES;
        if (!byKeys || query.isCount() || query.order() != null || most < 2) {
            return List.of(query);
        }
        KeyRange span = new KeyRange(ranges.getFirst().from(), ranges.getLast().to());
        List<Query> parts = new ArrayList<>();
        Bytes from = query.from();
        for (Bytes separator : ways.tree(collection.tree()).separators(span, most - 1)) {
            parts.add(query.within(from, separator));
            from = separator;
        }
        parts.add(query.within(from, query.to()));
        return parts;
    }

    /** The plan of a query for rows. */
    QueryPlan plan(Query query) {
        return ways.choose(query, needed(query, selected(query)), true).plan();
    }

    private static List<Field<?>> needed(Query query, List<Field<?>> selected) {
        Query.Order order = query.order();
        List<Field<?>> fields = new ArrayList<>(selected);
        if (order != null) {
            fields.add(order.by());
        }
        return fields;
    }

    private long count(Query query) {
        long found = 0;
        try (Scan<Boolean> rest = open(query, List.of(), subject -> true).toEnd()) {
            for (; rest.hasNext(); found++) {
                rest.next();
            }
        }
        return found + known.values().stream().mapToLong(Long::longValue).sum();
    }

    private <T> List<Row> counts(Query query, Field<T> by) {
        FieldType<T> type = by.type();
        Map<@Nullable Bytes, Long> counts = new HashMap<>();
        Function<Subject<K, V>, Boolean> add = subject -> {
            Object value = subject.field(by);
            counts.merge(value == null ? null : type.encode(type.javaType().cast(value)), 1L, Long::sum);
            return true;
        };
        try (Scan<Boolean> rest = open(query, List.of(by), add).toEnd()) {
            rest.forEachRemaining(added -> {});
        }
        known.forEach((value, count) -> counts.merge(value, count, Long::sum));
        List<Row> rows = new ArrayList<>();
        counts.forEach((value, count) -> rows.add(
                new Row(query.fields(), new @Nullable Object[] {value == null ? null : type.decode(value), count})));
        return rows;
    }

    private List<Row> first(Query query, Query.Order order, List<Field<?>> selected) {
        Top first = new Top(order, query.limit());
        top = first;
        Function<Subject<K, V>, Boolean> add = subject -> {
            first.add(subject.field(order.by()), () -> subject.row(selected));
            return true;
        };
        try (Scan<Boolean> all = open(query, needed(query, selected), add)) {
            all.forEachRemaining(added -> {});
        }
        return first.rows();
    }

    /** @param needed the fields that the answer needs; null: whole records */
    private <T> Scan<T> open(Query query, @Nullable List<Field<?>> needed, Function<Subject<K, V>, T> make) {
        Candidate chosen = ways.choose(query, needed, false);
        known = Map.of(); // of a way that failed
        progress.follow(chosen.plan(), ways.leafBytes());
        Filter filter = new Filter(query.where());
        try {
            return open(chosen, query, span(query, chosen), filter, make);
        } catch (InvalidRequestException failure) {
            if (ways.areWithoutIndexes() || failure.code() != ErrorCode.INDEX_NOT_READY) {
                throw failure;
            }
            ways.leaveOutIndexes(); // it was dropped meanwhile
            return open(query, needed, make);
        }
    }

    /** The direction and the limit of the scan. One that is not in the order of the query meets all records. */
    private static KeySpan<?> span(Query query, Candidate chosen) {
        Query.Order order = query.order();
        KeySpan<?> span = KeySpan.all();
        if (order != null && !chosen.ordered() || query.limit() == 0) {
            return span;
        }
        return (order != null && order.descending() ? span.reversed() : span).limit(query.limit());
    }

    private <T> Scan<T> open(
            Candidate chosen, Query query, KeySpan<?> span, Filter filter, Function<Subject<K, V>, T> make) {
        List<KeyRange> ranges = span.descending() ? chosen.ranges().reversed() : chosen.ranges();
        return switch (chosen.plan().access()) {
            case INDEX -> byIndex(ways.index(chosen.plan().by()), ranges, span, filter, make);
            case COVERING -> byEntries(ways.index(chosen.plan().by()), ranges, span, filter, make);
            case SUMMARIES -> bySummaries(query, ranges, span, filter, make);
            case NOTHING, KEYS -> {
                Consumer<KeyRange> coming = reads.prefetching(collection.tree(), ranges, span.direction());
                yield byKeys(ahead -> ranges, span, filter, make, coming, range -> true);
            }
        };
    }

    private <T> Scan<T> bySummaries(
            Query query, List<KeyRange> ranges, KeySpan<?> span, Filter filter, Function<Subject<K, V>, T> make) {
        LeavesLeft leaves = new LeavesLeft(query, ranges, ways.summaries(ranges, query), ways::prefetch);
        RecordReader.Unchanged unchanged = ways.unchanged(ranges);
        IntFunction<List<KeyRange>> left = ahead -> {
            Summaries proven = leaves.proven(unchanged, ahead);
            known = proven.counts(query);
            List<KeyRange> without = leaves.without(proven);
            progress.skip(leaves.skipped());
            return without;
        };
        Predicate<KeyRange> wanted = range -> {
            int skipped = leaves.skipped();
            boolean isWanted =
                    leaves.isWanted(range, first -> Objects.requireNonNull(top).mayHave(first));
            if (leaves.skipped() < skipped) {
                progress.skip(leaves.skipped());
            }
            return isWanted;
        };
        return byKeys(left, span, filter, make, leaves::announce, wanted);
    }

    private <T> Scan<T> byKeys(
            IntFunction<List<KeyRange>> ranges,
            KeySpan<?> span,
            Filter filter,
            Function<Subject<K, V>, T> make,
            Consumer<KeyRange> coming,
            Predicate<KeyRange> wanted) {
        RangesScan.Ahead ahead = Reads.ahead(collection, span.limit() > 0, coming);
        RecordReader reader = reads.reader().get();
        TreeId tree = collection.tree();
        return new QueryScan<>(
                new RangesScan(
                        ranges, ahead, wanted, range -> reader.scan(tree, range, span.direction(), reads.writes())),
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
}
