package io.penstock.spark;

import io.penstock.query.Field;
import io.penstock.query.Fields;
import io.penstock.query.Query;
import io.penstock.spark.CollectionScan.KeyPart;
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
 * @param first whether the limit is of the first rows in the order of keys
 * @param aggregates that are made of the rows; null: rows
 */
record TaskWork(
        SourceOptions options,
        List<String> columns,
        boolean counted,
        Predicate[] predicates,
        int limit,
        boolean first,
        @Nullable Aggregates aggregates)
        implements Serializable {
    private static final long serialVersionUID = 1;

    /** The query of the whole collection, for all rows. */
    Query query(Fields fields) {
        return Query.where(new Pushdown(fields).all(predicates)).select(selected(fields));
    }

    /** The query of a part. */
    Query query(Fields fields, KeyPart part) {
        Query query = part.of(query(fields));
        return isLimited(part) ? query.limit(limit) : query;
    }

    /** Whether rows are left out. An index may answer what is not divided, and its first rows are others. */
    boolean isLimited(KeyPart part) {
        return limit > 0 && !(first && part.isWhole());
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
