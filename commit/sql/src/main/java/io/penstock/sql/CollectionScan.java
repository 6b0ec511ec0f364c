package io.penstock.sql;

import io.penstock.core.StoreException;
import io.penstock.query.Condition;
import io.penstock.query.Field;
import io.penstock.query.FieldType;
import io.penstock.query.Query;
import io.penstock.query.QueryPlan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.apache.calcite.DataContext;
import org.apache.calcite.adapter.enumerable.EnumerableConvention;
import org.apache.calcite.adapter.enumerable.EnumerableRel;
import org.apache.calcite.adapter.enumerable.EnumerableRelImplementor;
import org.apache.calcite.adapter.enumerable.JavaRowFormat;
import org.apache.calcite.adapter.enumerable.PhysTypeImpl;
import org.apache.calcite.linq4j.tree.Blocks;
import org.apache.calcite.linq4j.tree.Expressions;
import org.apache.calcite.plan.Convention;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptCost;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.AbstractRelNode;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.runtime.Bindable;
import org.apache.calcite.sql.SqlExplainLevel;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.BuiltInMethod;
import org.apache.calcite.util.ImmutableIntList;
import org.jspecify.annotations.Nullable;

/**
 * A query of one collection as a leaf of a plan, with what was pushed to it. Calcite takes the columns of a {@link
 * org.apache.calcite.rel.core.TableScan} for those of its table, which these are not. Immutable.
 */
final class CollectionScan extends AbstractRelNode {
    private static final double PASSED_BY_A_FILTER = 0.25;
    private static final double OTHER_VALUES = 0.1;

    private final RelOptTable table;
    private final CollectionTable rows;
    private final Asked asked;

    /**
     * The question to the collection.
     *
     * @param columns the numbers of the table's columns that it gives, one at least
     * @param filters on the table's columns; each has a condition
     * @param order by one of the table's columns; null for none
     * @param limit the maximum number of rows; 0 for no limit
     * @param measures what it gives of all rows instead, in one row; none: the rows
     * @param counted whether it gives, instead, how often there is each value of its one column
     * @param asking the columns that are among the keys of a join, as far as these are known
     */
    private record Asked(
            List<Integer> columns,
            List<RexNode> filters,
            @Nullable RelFieldCollation order,
            long limit,
            List<Measure> measures,
            boolean counted,
            Map<KeyJoin.Column, Integer> asking) {
        Asked columns(List<Integer> some) {
            return new Asked(some, filters, order, limit, measures, counted, asking);
        }

        Asked filters(List<RexNode> all) {
            return new Asked(columns, all, order, limit, measures, counted, asking);
        }

        Asked first(@Nullable RelFieldCollation by, long count) {
            return new Asked(columns, filters, by, count, measures, counted, asking);
        }
    }

    /**
     * The values that a run of a statement has for what its plan leaves open.
     *
     * @param parameters the values of parameters, by their numbers
     * @param keys the keys of a side of a join; null for any
     */
    record Bound(IntFunction<@Nullable Object> parameters, Function<KeyJoin.Column, @Nullable Set<Object>> keys) {
        /** None are known, as while a statement is planned. */
        static final Bound NONE = new Bound(number -> Pushdown.UNBOUND, column -> null);

        static Bound of(DataContext context) {
            Cut cut = Cut.of(context);
            return new Bound(
                    number -> context.get("?" + number),
                    column -> cut.join(column.join()).keys(column));
        }
    }

    private CollectionScan(RelOptCluster cluster, RelOptTable table, CollectionTable rows, Asked asked) {
        super(cluster, cluster.traitSetOf(Convention.NONE));
        this.table = table;
        this.rows = rows;
        this.asked = asked;
    }

    /** All columns of all rows. */
    static CollectionScan of(RelOptCluster cluster, RelOptTable table, CollectionTable rows) {
        List<Integer> all = ImmutableIntList.identity(rows.fields().size());
        return new CollectionScan(
                cluster, table, rows, new Asked(all, List.of(), null, 0, List.of(), false, Map.of()));
    }

    private CollectionScan with(Asked other) {
        return new CollectionScan(getCluster(), table, rows, other);
    }

    List<Integer> columns() {
        return asked.columns;
    }

    List<RexNode> filters() {
        return asked.filters;
    }

    List<Measure> measures() {
        return asked.measures;
    }

    /** Whether all rows that pass the filters are given, one by one, so that more can be pushed. */
    boolean isWhole() {
        return asked.limit == 0 && asked.measures.isEmpty() && !asked.counted;
    }

    Pushdown pushdown() {
        return new Pushdown(rows.fields(), getCluster().getRexBuilder());
    }

    /** This scan with some of its columns. */
    CollectionScan select(List<Integer> places) {
        return with(asked.columns(places.stream().map(asked.columns::get).toList()));
    }

    /** This scan with more filters. */
    CollectionScan where(List<RexNode> more) {
        List<RexNode> all = new ArrayList<>(asked.filters);
        all.addAll(more);
        return with(asked.filters(List.copyOf(all)));
    }

    /** The number in the table of a column. */
    private int place(int column) {
        return asked.columns.get(column);
    }

    /** The kind of a column. */
    FieldType.Kind kind(int column) {
        return rows.fields().get(place(column)).type().kind();
    }

    /**
     * This scan with a limit.
     *
     * @param order of its columns; null for none
     */
    CollectionScan limited(@Nullable RelFieldCollation order, long count) {
        return with(asked.first(order == null ? null : order.withFieldIndex(place(order.getFieldIndex())), count));
    }

    /**
     * What some measures are of the rows.
     *
     * @param measures of the columns of this scan
     */
    CollectionScan measured(List<Measure> measures) {
        List<Measure> placed = measures.stream()
                .map(measure -> measure.column() < 0 ? measure : measure.at(place(measure.column())))
                .toList();
        return with(new Asked(asked.columns, asked.filters, null, 0, placed, false, asked.asking));
    }

    /** How often there is each value of a column: rows of both. */
    CollectionScan counted(int column) {
        List<Integer> only = List.of(place(column));
        return with(new Asked(only, asked.filters, null, 0, List.of(), true, asked.asking));
    }

    /** Whether this can leave out the rows whose values of a column are not among some keys. */
    boolean takesKeys(int column) {
        return isWhole() && kind(column) != FieldType.Kind.DOUBLE && kind(column) != FieldType.Kind.INSTANT;
    }

    /** This scan without the rows whose values of a column are not among those of a join. */
    CollectionScan asking(int column, KeyJoin.Column keys) {
        Map<KeyJoin.Column, Integer> all = new LinkedHashMap<>(asked.asking);
        all.put(keys, place(column));
        return with(new Asked(
                asked.columns, asked.filters, asked.order, asked.limit, asked.measures, asked.counted, all));
    }

    /** How much there is to read, to be compared with other scans: the requests, less with each filter. */
    double weight(Bound bound) {
        QueryPlan plan = rows.collection().plan(query(bound));
        return plan.seconds() * Math.pow(PASSED_BY_A_FILTER, asked.filters.size());
    }

    /** The condition of the rows. */
    Condition where(Bound bound) {
        Pushdown pushdown = pushdown();
        List<Condition> conditions = new ArrayList<>();
        for (RexNode filter : asked.filters) {
            Condition condition = pushdown.condition(filter, bound.parameters());
            conditions.add(condition == null ? Condition.all() : condition);
        }
        asked.asking.forEach((column, place) -> {
            Set<Object> keys = bound.keys().apply(column);
            if (keys != null) {
                conditions.add(Pushdown.among(rows.fields().get(place), keys));
            }
        });
        return conditions.size() == 1 ? conditions.getFirst() : new Condition.And(conditions);
    }

    /** The query of the store for rows. */
    Query query(Bound bound) {
        RelFieldCollation order = asked.order;
        Query query = whole(bound);
        if (asked.counted) {
            return query.countBy(field(asked.columns.getFirst()));
        }
        if (asked.limit == 0) {
            return query;
        }
        Query limited = query.limit(asked.limit);
        return order == null ? limited : ordered(limited, order);
    }

    /** The query for all rows, also where only the first ones are wanted. */
    Query whole(Bound bound) {
        return Query.where(where(bound)).select(selected());
    }

    private Query ordered(Query query, RelFieldCollation order) {
        Field<?> by = field(order.getFieldIndex());
        return order.direction.isDescending() ? query.orderByDescending(by) : query.orderBy(by);
    }

    /** The place among the columns of text by which rows are in order; negative if they are not. */
    int textOrder() {
        RelFieldCollation order = asked.order;
        boolean text = order != null && field(order.getFieldIndex()).type().kind() == FieldType.Kind.STRING;
        return text ? asked.columns.indexOf(order.getFieldIndex()) : -1;
    }

    /** The field of a column of the table. */
    Field<?> field(int place) {
        return rows.fields().get(place);
    }

    private List<Field<?>> selected() {
        return asked.columns.stream().<Field<?>>map(rows.fields()::get).toList();
    }

    /** The fields of the rows of the query. */
    List<Field<?>> fields() {
        return asked.counted ? List.of(field(asked.columns.getFirst()), Query.COUNT) : selected();
    }

    private List<String> fieldNames() {
        return asked.measures.isEmpty()
                ? fields().stream().map(Field::name).toList()
                : asked.measures.stream().map(measure -> measure.name(this)).toList();
    }

    CollectionTable rows() {
        return rows;
    }

    @Override
    public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
        return this;
    }

    @Override
    public RelDataType deriveRowType() {
        RelDataTypeFactory types = getCluster().getTypeFactory();
        RelDataTypeFactory.Builder row = types.builder();
        List<RelDataTypeField> all = table.getRowType().getFieldList();
        if (asked.measures.isEmpty()) {
            asked.columns.forEach(column -> row.add(all.get(column)));
        }
        if (asked.counted) {
            row.add(Query.COUNT.name(), SqlTypeName.BIGINT);
        }
        for (Measure measure : asked.measures) {
            RelDataType type = measure.kind() == Measure.Kind.COUNT
                    ? types.createSqlType(SqlTypeName.BIGINT)
                    : types.createTypeWithNullability(all.get(measure.column()).getType(), true);
            row.add(measure.name(this), type);
        }
        return row.uniquify().build();
    }

    @Override
    public void register(RelOptPlanner planner) {
        ScanRules.ALL.forEach(planner::addRule);
    }

    @Override
    public double estimateRowCount(RelMetadataQuery metadata) {
        double found = table.getRowCount() * Math.pow(PASSED_BY_A_FILTER, asked.filters.size());
        if (!asked.measures.isEmpty()) {
            return 1;
        }
        double given = asked.counted ? found * OTHER_VALUES : found;
        return asked.limit == 0 ? given : Math.min(given, (double) asked.limit);
    }

    @Override
    public RelWriter explainTerms(RelWriter writer) {
        return super.explainTerms(writer)
                .item("table", rows.collection().name())
                .item("columns", fieldNames())
                .itemIf("filters", asked.filters, !asked.filters.isEmpty())
                .itemIf("order", String.valueOf(asked.order), asked.order != null)
                .itemIf("limit", asked.limit, asked.limit > 0)
                .itemIf("keys", asked.asking, !asked.asking.isEmpty());
    }

    /** The plans of the store, and their prices, in words. */
    private String plan() {
        try {
            return Measure.queries(this, Bound.NONE).stream()
                    .map(query -> rows.collection().plan(query).toString())
                    .collect(Collectors.joining("; "));
        } catch (StoreException unknown) {
            return unknown.code().name();
        }
    }

    /** The leaf of a plan that can run. */
    static final class Ready extends AbstractRelNode implements EnumerableRel {
        private final CollectionScan scan;

        Ready(CollectionScan scan) {
            super(scan.getCluster(), scan.getCluster().traitSetOf(EnumerableConvention.INSTANCE));
            this.scan = scan;
        }

        CollectionScan scan() {
            return scan;
        }

        @Override
        public String getRelTypeName() {
            return scan.getRelTypeName();
        }

        @Override
        public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
            return this;
        }

        @Override
        public RelDataType deriveRowType() {
            return scan.getRowType();
        }

        @Override
        public double estimateRowCount(RelMetadataQuery metadata) {
            return scan.estimateRowCount(metadata);
        }

        /** Less with each column that is left out, and with each filter. */
        @Override
        public RelOptCost computeSelfCost(RelOptPlanner planner, RelMetadataQuery metadata) {
            double found = metadata.getRowCount(this);
            double width =
                    (scan.asked.columns.size() + 2.0) / (scan.rows.fields().size() + 2.0);
            return planner.getCostFactory().makeCost(found, (found + 1) * width, 0);
        }

        @Override
        public RelWriter explainTerms(RelWriter writer) {
            boolean told = writer.getDetailLevel() != SqlExplainLevel.DIGEST_ATTRIBUTES;
            return scan.explainTerms(writer).itemIf("plan", told ? scan.plan() : "", told);
        }

        @Override
        public Result implement(EnumerableRelImplementor implementor, Prefer prefer) {
            var rowType = PhysTypeImpl.of(implementor.getTypeFactory(), getRowType(), JavaRowFormat.ARRAY);
            var run = implementor.stash(new ScanRun(scan), Bindable.class);
            return implementor.result(
                    rowType,
                    Blocks.toBlock(Expressions.call(
                            run, BuiltInMethod.BINDABLE_BIND.method, implementor.getRootExpression())));
        }
    }
}
