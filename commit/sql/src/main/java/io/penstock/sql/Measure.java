package io.penstock.sql;

import io.penstock.RecordCollection;
import io.penstock.Rows;
import io.penstock.query.Condition;
import io.penstock.query.Field;
import io.penstock.query.Query;
import io.penstock.query.Row;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.sql.SqlKind;
import org.jspecify.annotations.Nullable;

/**
 * A value of all rows of a scan. Immutable.
 *
 * @param column that it is of; negative for the rows themselves
 */
record Measure(Kind kind, int column) {
    /** The kinds of values. */
    enum Kind {
        /** The number of rows where the column is not null. */
        COUNT,
        /** The least value. */
        MIN,
        /** The greatest value. */
        MAX
    }

    /** The kind of an aggregate of SQL; null for others. */
    static @Nullable Kind kind(SqlKind aggregate) {
        return switch (aggregate) {
            case COUNT -> Kind.COUNT;
            case MIN -> Kind.MIN;
            case MAX -> Kind.MAX;
            default -> null;
        };
    }

    Measure at(int place) {
        return new Measure(kind, place);
    }

    String name(CollectionScan scan) {
        String of = column < 0 ? "" : "_" + scan.field(column).name();
        return kind.name().toLowerCase(Locale.ROOT) + of;
    }

    /** The query of the store for this value alone. */
    private Query query(CollectionScan scan, CollectionScan.Bound bound) {
        Condition where = scan.where(bound);
        if (column < 0) {
            return Query.where(where).count();
        }
        Field<?> field = scan.field(column);
        Query present = Query.where(
                field.isNullable() ? Condition.and(where, Condition.not(new Condition.IsNull(field))) : where);
        Query one = present.select(field).limit(1);
        return switch (kind) {
            case COUNT -> present.count();
            case MIN -> one.orderBy(field);
            case MAX -> one.orderByDescending(field);
        };
    }

    /** The queries that answer a scan: one for each of its measures, unless one for all rows costs less. */
    static List<Query> queries(CollectionScan scan, CollectionScan.Bound bound) {
        List<Measure> measures = scan.measures();
        if (measures.isEmpty()) {
            return List.of(scan.query(bound));
        }
        List<Query> each =
                measures.stream().map(measure -> measure.query(scan, bound)).toList();
        Query whole = whole(scan, bound);
        RecordCollection<?, ?> collection = scan.rows().collection();
        boolean single = measures.size() == 1
                || each.stream()
                                .mapToDouble(query -> collection.plan(query).seconds())
                                .sum()
                        < collection.plan(whole).seconds();
        return single ? each : List.of(whole);
    }

    private static Query whole(CollectionScan scan, CollectionScan.Bound bound) {
        List<Field<?>> fields = scan.measures().stream()
                .filter(measure -> measure.column >= 0)
                .<Field<?>>map(measure -> scan.field(measure.column))
                .distinct()
                .toList();
        Query all = Query.where(scan.where(bound));
        return fields.isEmpty() ? all.count() : all.select(fields);
    }

    /** The values of all measures of a scan, as Calcite keeps them. */
    static @Nullable Object[] values(CollectionScan scan, Cut cut, CollectionScan.Bound bound) {
        List<Query> queries = queries(scan, bound);
        List<Measure> measures = scan.measures();
        @Nullable Object[] values = new @Nullable Object[measures.size()];
        if (queries.size() < values.length) {
            return ofRows(scan, cut, queries.getFirst());
        }
        for (int i = 0; i < values.length; i++) {
            Rows rows = cut.open(scan.rows().collection(), queries.get(i));
            values[i] = rows.hasNext() ? rows.next().at(0) : null;
            cut.close(rows);
            if (ScanRun.isBeyond(values[i])) {
                return ofRows(scan, cut, whole(scan, bound));
            }
            values[i] = measures.get(i).toSql(scan, values[i]);
        }
        return values;
    }

    private @Nullable Object toSql(CollectionScan scan, @Nullable Object value) {
        return kind == Kind.COUNT ? value : SqlTypes.toSql(scan.field(column).type().kind(), value);
    }

    private static @Nullable Object[] ofRows(CollectionScan scan, Cut cut, Query query) {
        List<Measure> measures = scan.measures();
        @Nullable Object[] values = measures.stream().map(of -> of.kind == Kind.COUNT ? 0L : null).toArray();
        Rows rows = cut.open(scan.rows().collection(), query).toEnd();
        while (rows.hasNext()) {
            cut.check();
            Row row = rows.next();
            for (int i = 0; i < values.length; i++) {
                Measure of = measures.get(i);
                Object value = of.column < 0 ? "" : of.toSql(scan, row.get(scan.field(of.column)));
                values[i] = value == null ? values[i] : of.with(values[i], value);
            }
        }
        cut.close(rows);
        return values;
    }

    /** This measure of some rows and one more; SQL compares values as Java does. */
    @SuppressWarnings("unchecked") // of a value of a column with another
    private Object with(@Nullable Object before, Object value) {
        if (before == null || kind == Kind.COUNT) {
            return before == null ? value : (Object) ((Long) before + 1);
        }
        int order = ((Comparable<Object>) before).compareTo(value);
        return (kind == Kind.MIN ? order <= 0 : order >= 0) ? before : value;
    }
}
