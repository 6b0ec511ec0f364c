package io.penstock.spark;

import io.penstock.query.Field;
import io.penstock.query.FieldType.Kind;
import io.penstock.query.Fields;
import io.penstock.query.KeyField;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.spark.sql.connector.expressions.SortDirection;
import org.apache.spark.sql.connector.expressions.SortOrder;
import org.apache.spark.sql.connector.expressions.aggregate.Aggregation;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.read.SupportsPushDownAggregates;
import org.apache.spark.sql.connector.read.SupportsPushDownLimit;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.connector.read.SupportsPushDownTopN;
import org.apache.spark.sql.connector.read.SupportsPushDownV2Filters;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/** The choice of what tasks do, and what is left to Spark. For one thread. */
final class CollectionScanBuilder
        implements ScanBuilder,
                SupportsPushDownV2Filters,
                SupportsPushDownRequiredColumns,
                SupportsPushDownLimit,
                SupportsPushDownTopN,
                SupportsPushDownAggregates {
    private final SourceOptions options;
    private final Fields fields;
    private final Pushdown pushdown;
    private Predicate[] pushed = {};
    private List<String> columns;
    private int limit;
    private boolean first;
    private @Nullable Aggregates aggregates;

    CollectionScanBuilder(SourceOptions options, Fields fields) {
        this.options = options;
        this.fields = fields;
        this.pushdown = new Pushdown(fields);
        this.columns = fields.all().stream().map(Field::name).toList();
    }

    @Override
    public Predicate[] pushPredicates(Predicate[] predicates) {
        List<Predicate> left = new ArrayList<>();
        List<Predicate> own = new ArrayList<>();
        for (Predicate predicate : predicates) {
            (pushdown.condition(predicate).isPresent() ? own : left).add(predicate);
        }
        pushed = own.toArray(new Predicate[0]);
        return left.toArray(new Predicate[0]);
    }

    @Override
    public Predicate[] pushedPredicates() {
        return pushed;
    }

    @Override
    public void pruneColumns(StructType required) {
        columns = List.of(required.fieldNames());
    }

    /** Each task stops there; Spark does for all of them together. */
    @Override
    public boolean pushLimit(int rows) {
        limit = rows;
        return true;
    }

    /** Rows come in the order of keys. */
    @Override
    public boolean pushTopN(SortOrder[] orders, int rows) {
        for (int part = 0; part < orders.length; part++) {
            Optional<Field<?>> field = pushdown.field(orders[part].expression());
            boolean isNext = orders[part].direction() == SortDirection.ASCENDING
                    && field.isPresent()
                    && field.get() instanceof KeyField<?> key
                    && !key.isComputed()
                    && (key.isWhole() ? 0 : key.part()) == part;
            // Instants that Spark takes for one have an order here, before the next part.
            boolean isCoarse = isNext && field.get().type().kind() == Kind.INSTANT && part < orders.length - 1;
            if (!isNext || isCoarse) {
                return false;
            }
        }
        limit = rows;
        first = true;
        return true;
    }

    @Override
    public boolean isPartiallyPushed() {
        return true;
    }

    @Override
    public boolean pushAggregation(Aggregation aggregation) {
        Optional<Aggregates> known = Aggregates.of(aggregation, pushdown);
        aggregates = known.orElse(null);
        return known.isPresent();
    }

    @Override
    public Scan build() {
        Aggregates groups = aggregates;
        List<String> read = groups == null ? columns : groups.columns();
        StructType schema = groups == null
                ? SparkTypes.schema(read.stream().<Field<?>>map(fields::get).toList())
                : groups.schema(fields);
        boolean counted = columns.isEmpty() && groups == null;
        TaskWork work = new TaskWork(options, atLeastOne(read), counted, pushed, limit, first, groups);
        return new CollectionScan(work, schema);
    }

    /** Rows that are only counted have one field, a part of the key if there is one. */
    private List<String> atLeastOne(List<String> read) {
        if (!read.isEmpty()) {
            return read;
        }
        Stream<Field<?>> keys = fields.all().stream().filter(KeyField.class::isInstance);
        return List.of(keys.findFirst().orElse(fields.all().getFirst()).name());
    }
}
