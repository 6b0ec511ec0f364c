package io.penstock.spark;

import io.penstock.query.Field;
import io.penstock.query.FieldType;
import io.penstock.query.Fields;
import io.penstock.query.Row;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.aggregate.AggregateFunc;
import org.apache.spark.sql.connector.expressions.aggregate.Aggregation;
import org.apache.spark.sql.connector.expressions.aggregate.Count;
import org.apache.spark.sql.connector.expressions.aggregate.CountStar;
import org.apache.spark.sql.connector.expressions.aggregate.Max;
import org.apache.spark.sql.connector.expressions.aggregate.Min;
import org.apache.spark.sql.connector.expressions.aggregate.Sum;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * The groups of rows, with counts, minima, maxima and sums of each, that a task makes of what it reads; Spark puts
 * those of all tasks together. Immutable.
 *
 * @param groups the fields by which rows are grouped
 * @param functions of each group
 */
record Aggregates(List<String> groups, List<Function> functions) implements Serializable {
    private static final long serialVersionUID = 1;

    /** The most groups that a task keeps; those beyond are handed over as they are, and begun again. */
    private static final int GROUPS_MAX = 10_000;

    /** A kind of function. */
    enum Kind {
        /** Of rows, or of values that are not null. */
        COUNT,
        /** The least value. */
        MIN,
        /** The greatest value. */
        MAX,
        /** Of numbers. */
        SUM
    }

    /**
     * A function of the rows of a group.
     *
     * @param field that it is of; empty for rows
     */
    record Function(Kind kind, String field) implements Serializable {
        private static final long serialVersionUID = 1;

        DataType type(Fields fields) {
            if (kind == Kind.COUNT) {
                return DataTypes.LongType;
            }
            FieldType<?> of = fields.get(field).type();
            return kind == Kind.SUM && of.kind() == FieldType.Kind.INT ? DataTypes.LongType : SparkTypes.of(of);
        }
    }

    /** The aggregates of a query; empty if they are Spark's to make. */
    static Optional<Aggregates> of(Aggregation wanted, Pushdown pushdown) {
        List<String> groups = new ArrayList<>();
        for (Expression group : wanted.groupByExpressions()) {
            Optional<Field<?>> field = pushdown.field(group);
            if (field.isEmpty()) {
                return Optional.empty();
            }
            groups.add(field.get().name());
        }
        List<Function> functions = new ArrayList<>();
        for (AggregateFunc one : wanted.aggregateExpressions()) {
            Optional<Function> function = function(one, pushdown);
            if (function.isEmpty()) {
                return Optional.empty();
            }
            functions.add(function.get());
        }
        return Optional.of(new Aggregates(List.copyOf(groups), List.copyOf(functions)));
    }

    private static Optional<Function> function(AggregateFunc of, Pushdown pushdown) {
        return switch (of) {
            case CountStar rows -> Optional.of(new Function(Kind.COUNT, ""));
            case Count count when !count.isDistinct() -> function(Kind.COUNT, count.column(), pushdown);
            case Min min -> function(Kind.MIN, min.column(), pushdown);
            case Max max -> function(Kind.MAX, max.column(), pushdown);
            case Sum sum
            when !sum.isDistinct() ->
                pushdown.field(sum.column())
                        .filter(field -> isSummed(field.type().kind()))
                        .map(field -> new Function(Kind.SUM, field.name()));
            default -> Optional.empty();
        };
    }

    private static Optional<Function> function(Kind kind, Expression column, Pushdown pushdown) {
        return pushdown.field(column).map(field -> new Function(kind, field.name()));
    }

    /**
     * Sums of longs and decimals are Spark's. It alone knows what becomes of those that are too great: {@code sum},
     * {@code try_sum} and {@code avg} are one sum here.
     */
    private static boolean isSummed(FieldType.Kind kind) {
        return kind == FieldType.Kind.INT || kind == FieldType.Kind.DOUBLE;
    }

    /** The fields that are read. */
    List<String> columns() {
        Stream<String> read = functions.stream().map(Function::field).filter(field -> !field.isEmpty());
        return Stream.concat(groups.stream(), read).distinct().toList();
    }

    /** The columns of the groups. */
    StructType schema(Fields fields) {
        StructType schema =
                SparkTypes.schema(groups.stream().<Field<?>>map(fields::get).toList());
        for (int i = 0; i < functions.size(); i++) {
            schema = schema.add("f" + i, functions.get(i).type(fields), true);
        }
        return schema;
    }

    /** The groups of the next rows, up to {@link #GROUPS_MAX}. */
    Iterator<InternalRow> next(Iterator<Row> rows, Fields fields) {
        Map<List<@Nullable Object>, @Nullable Object[]> found = new LinkedHashMap<>();
        List<Field<?>> by = groups.stream().<Field<?>>map(fields::get).toList();
        List<@Nullable Field<?>> of = new ArrayList<>();
        functions.forEach(function -> of.add(function.field().isEmpty() ? null : fields.get(function.field())));
        if (by.isEmpty()) {
            found.put(List.of(), begun());
        }
        while (rows.hasNext() && found.size() < GROUPS_MAX) {
            Row row = rows.next();
            @Nullable Object[] group = new Object[by.size()];
            for (int i = 0; i < group.length; i++) {
                group[i] = row.get(by.get(i));
            }
            @Nullable Object[] sums = found.computeIfAbsent(Arrays.<@Nullable Object>asList(group), key -> begun());
            for (int i = 0; i < sums.length; i++) {
                Field<?> field = of.get(i);
                sums[i] = next(functions.get(i).kind(), field, sums[i], field == null ? row : row.get(field));
            }
        }
        return found.entrySet().stream()
                .map(entry -> row(by, entry.getKey(), of, entry.getValue()))
                .iterator();
    }

    private @Nullable Object[] begun() {
        return functions.stream()
                .map(function -> function.kind() == Kind.COUNT ? (Object) 0L : null)
                .toArray();
    }

    private static @Nullable Object next(
            Kind kind, @Nullable Field<?> field, @Nullable Object before, @Nullable Object value) {
        if (value == null) {
            return before;
        }
        return switch (kind) {
            case COUNT -> (before == null ? 0L : (Long) before) + 1;
            case SUM -> before == null ? widened(value) : sum(before, widened(value));
            case MIN -> before == null || compare(field, value, before) < 0 ? value : before;
            case MAX -> before == null || compare(field, value, before) > 0 ? value : before;
        };
    }

    private static Object widened(Object number) {
        return number instanceof Integer whole ? (Object) whole.longValue() : number;
    }

    private static Object sum(Object one, Object other) {
        return one instanceof Double number
                ? (Object) (number + (Double) other)
                : (Object) Math.addExact((Long) one, (Long) other);
    }

    private static <T> int compare(@Nullable Field<T> field, Object one, Object other) {
        FieldType<T> type = java.util.Objects.requireNonNull(field).type();
        return type.compare(type.javaType().cast(one), type.javaType().cast(other));
    }

    private InternalRow row(
            List<Field<?>> by, List<@Nullable Object> group, List<@Nullable Field<?>> of, @Nullable Object[] values) {
        @Nullable Object[] row = new Object[group.size() + values.length];
        for (int i = 0; i < group.size(); i++) {
            row[i] = SparkTypes.toSpark(by.get(i).type().kind(), group.get(i));
        }
        for (int i = 0; i < values.length; i++) {
            Kind kind = functions.get(i).kind();
            Field<?> field = of.get(i);
            boolean isNumber = kind == Kind.COUNT || kind == Kind.SUM || field == null;
            row[group.size() + i] =
                    isNumber ? values[i] : SparkTypes.toSpark(field.type().kind(), values[i]);
        }
        return new GenericInternalRow(row);
    }
}
