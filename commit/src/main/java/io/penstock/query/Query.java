package io.penstock.query;

import io.penstock.core.Bytes;
import io.penstock.core.InvalidRequestException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A query over the records of one collection:
 *
 * <pre>{@code
 * books.query(Query.where(price.lt(TEN)).select(title, price).limit(20))
 * }</pre>
 *
 * Immutable.
 *
 * @param where the records that are found
 * @param fields that rows have; none stands for all that are declared
 * @param limit the maximum number of rows; 0 for no limit
 * @param from the first encoded key of the part that is looked at; empty for the beginning
 * @param to the first encoded key beyond it; null for the end
 */
public record Query(
        Condition where,
        List<Field<?>> fields,
        long limit,
        Bytes from,
        @Nullable Bytes to) {
    public Query {
        fields = List.copyOf(fields);
    }

    /** The records that fulfil a condition. */
    public static Query where(Condition condition) {
        return new Query(condition, List.of(), 0, Bytes.EMPTY, null);
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
        return new Query(where, List.copyOf(selected), limit, from, to);
    }

    /** Some of these records. */
    public Query limit(long rows) {
        if (rows < 1) {
            throw new InvalidRequestException("a query is limited to 1 row at least", "limit", rows);
        }
        return new Query(where, fields, rows, from, to);
    }

    /** These records as far as their encoded keys are in a part of all; see {@code RecordCollection.parts}. */
    public Query within(Bytes first, @Nullable Bytes end) {
        return new Query(where, fields, limit, first, end);
    }
}
