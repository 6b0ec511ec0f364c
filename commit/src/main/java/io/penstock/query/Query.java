package io.penstock.query;

import io.penstock.core.Bytes;
import io.penstock.core.InvalidRequestException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A query over the records of one collection:
 *
 * <pre>{@code
 * books.query(Query.where(price.lt(TEN)).select(title, price).orderBy(price).limit(20))
 * books.query(Query.where(price.lt(TEN)).count()).next().get(Query.COUNT)
 * }</pre>
 *
 * Immutable.
 *
 * @param where the records that are found
 * @param fields that rows have; none stands for all that are declared
 * @param order of the rows; null for any
 * @param limit the maximum number of rows; 0 for no limit
 * @param from the first encoded key of the part that is looked at; empty for the beginning
 * @param to the first encoded key beyond it; null for the end
 */
public record Query(
        Condition where,
        List<Field<?>> fields,
        @Nullable Order order,
        long limit,
        Bytes from,
        @Nullable Bytes to) {
    /** The number of records, which is the one field of the one row of a {@link #count}. */
    public static final Field<Long> COUNT =
            Field.<Object, Long>of("count", FieldType.LONG, value -> null).required();

    /**
     * The order of a query's rows: by a field, where nulls count as greater than all values. Rows that are equal have
     * any order, and of those at the limit any are taken.
     *
     * @param descending from the greatest down
     */
    public record Order(Field<?> by, boolean descending) {}

    public Query {
        fields = List.copyOf(fields);
        boolean counts = fields.contains(COUNT);
        if (counts && (fields.size() > 2 || !fields.getLast().equals(COUNT) || order != null || limit > 0)) {
            throw new InvalidRequestException("a count has one field to count by at most, no order and no limit");
        }
    }

    /** The records that fulfil a condition. */
    public static Query where(Condition condition) {
        return new Query(condition, List.of(), null, 0, Bytes.EMPTY, null);
    }

    /** All records. */
    public static Query all() {
        return where(Condition.all());
    }

    /** These records with some of their fields only. */
    public Query select(Field<?>... selected) {
        return select(List.of(selected));
    }

    /** These records with some of their fields only. */
    public Query select(List<? extends Field<?>> selected) {
        return new Query(where, List.copyOf(selected), order, limit, from, to);
    }

    /** The number of these records: one row, of the field {@link #COUNT}. */
    public Query count() {
        return select(COUNT);
    }

    /**
     * The number of these records for each value of a field, and for null: rows of the field and {@link #COUNT}, in any
     * order. They are held in memory.
     */
    public Query countBy(Field<?> field) {
        return select(field, COUNT);
    }

    /** Whether this asks for numbers of records. */
    public boolean isCount() {
        return fields.contains(COUNT);
    }

    /** The field by whose values records are counted; null for none. */
    public @Nullable Field<?> countedBy() {
        return isCount() && fields.size() > 1 ? fields.getFirst() : null;
    }

    /**
     * These records from the least value of a field up, nulls last. Such a query needs a limit: its rows are held in
     * memory.
     */
    public Query orderBy(Field<?> field) {
        return new Query(where, fields, new Order(field, false), limit, from, to);
    }

    /** These records from the greatest value of a field down, nulls first; see {@link #orderBy}. */
    public Query orderByDescending(Field<?> field) {
        return new Query(where, fields, new Order(field, true), limit, from, to);
    }

    /** Some of these records, in an order the first. */
    public Query limit(long rows) {
        if (rows < 1) {
            throw new InvalidRequestException("a query is limited to 1 row at least", "limit", rows);
        }
        return new Query(where, fields, order, rows, from, to);
    }

    /** These records as far as their encoded keys are in a part of all; see {@code RecordCollection.parts}. */
    public Query within(Bytes first, @Nullable Bytes end) {
        return new Query(where, fields, order, limit, first, end);
    }
}
