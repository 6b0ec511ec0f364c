package io.penstock.spark;

import io.penstock.query.Field;
import io.penstock.query.Fields;
import io.penstock.query.Query;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The work of each task of a query. Immutable.
 *
 * @param columns the fields that are read, one at least
 * @param counted whether rows have no columns
 * @param predicates that rows fulfil; all can be conditions
 * @param limit of each task; 0 for none
 * @param aggregates that are made of the rows; null: rows
 */
record TaskWork(
        SourceOptions options,
        List<String> columns,
        boolean counted,
        Predicate[] predicates,
        int limit,
        @Nullable Aggregates aggregates)
        implements Serializable {
    private static final long serialVersionUID = 1;

    /** The query of the whole collection. */
    Query query(Fields fields) {
        Query query = Query.where(new Pushdown(fields).all(predicates)).select(selected(fields));
        return limit == 0 ? query : query.limit(limit);
    }

    /** The fields that are read. */
    List<Field<?>> selected(Fields fields) {
        return columns.stream().<Field<?>>map(fields::get).toList();
    }

    @Override
    public String toString() {
        return options.collection() + " columns=" + (counted ? List.of() : columns) + " filters="
                + Arrays.toString(predicates) + (limit == 0 ? "" : " limit=" + limit)
                + (aggregates == null ? "" : " " + aggregates);
    }
}
