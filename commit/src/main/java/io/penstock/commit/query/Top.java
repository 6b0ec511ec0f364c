package io.penstock.commit.query;

import io.penstock.core.Bytes;
import io.penstock.query.Field;
import io.penstock.query.FieldType;
import io.penstock.query.Query;
import io.penstock.query.Row;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The first rows of some, in an order. For one thread. */
public final class Top {
    private final Query.Order order;
    private final long most;
    private final Comparator<Placed> byPlace;

    /** The last one first. */
    private final PriorityQueue<Placed> rows;

    /** @param place the value of the order's field, or null */
    private record Placed(@Nullable Object place, Row row) {}

    /** @param most the number of rows */
    public Top(Query.Order order, long most) {
        this.order = order;
        this.most = most;
        this.byPlace = comparing(order);
        this.rows = new PriorityQueue<>(byPlace.reversed());
    }

    private static Comparator<Placed> comparing(Query.Order order) {
        Comparator<@Nullable Object> values =
                Comparator.nullsLast(values(order.by().type()));
        Comparator<@Nullable Object> ordered = order.descending() ? values.reversed() : values;
        return (one, other) -> ordered.compare(one.place, other.place);
    }

    private static <T> Comparator<Object> values(FieldType<T> type) {
        return (one, other) ->
                type.compare(type.javaType().cast(one), type.javaType().cast(other));
    }

    /** Compares values as bytes. */
    static int compare(Query.Order order, @Nullable Bytes one, @Nullable Bytes other) {
        int ascending =
                one == null || other == null ? Boolean.compare(one == null, other == null) : one.compareTo(other);
        return order.descending() ? -ascending : ascending;
    }

    /** Adds a row, if it is one of the first so far; only then it is made. */
    public void add(@Nullable Object place, Supplier<Row> row) {
        if (rows.size() == most) {
            Placed last = rows.element();
            if (byPlace.compare(new Placed(place, last.row), last) >= 0) {
                return;
            }
            rows.remove();
        }
        rows.add(new Placed(place, row.get()));
    }

    /** Whether values from one on can be among the first. */
    public boolean mayHave(@Nullable Bytes from) {
        return rows.size() < most || compare(order, from, bytes(order.by(), rows.element().place)) < 0;
    }

    private static <T> @Nullable Bytes bytes(Field<T> field, @Nullable Object value) {
        return value == null ? null : Extent.bytes(field.type(), value);
    }

    /** The first rows, in order. */
    public List<Row> rows() {
        return rows.stream().sorted(byPlace).map(Placed::row).toList();
    }
}
