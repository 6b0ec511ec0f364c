package io.penstock.sql;

import io.penstock.core.StoreException;
import io.penstock.query.Condition;
import io.penstock.query.Field;
import io.penstock.query.FieldType;
import io.penstock.query.Query;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Stream;
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
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.runtime.Bindable;
import org.apache.calcite.sql.SqlExplainLevel;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
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
     * @param counted whether it gives the number of rows instead; with a column, by each value of that
     * @param asking the columns that are among the keys of joins, as far as these are known
     */
    private record Asked(
            List<Integer> columns,
            List<RexNode> filters,
            @Nullable RelFieldCollation order,
            long limit,
            boolean counted,
            Map<KeyJoin.Column, Integer> asking) {}

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
        return new CollectionScan(cluster, table, rows, new Asked(all, List.of(), null, 0, false, Map.of()));
    }

    private CollectionScan with(
            List<Integer> columns,
            List<RexNode> filters,
            @Nullable RelFieldCollation order,
            long limit,
            boolean counted) {
        Asked other = new Asked(List.copyOf(columns), List.copyOf(filters), order, limit, counted, asked.asking);
        return new CollectionScan(getCluster(), table, rows, other);
    }

    List<Integer> columns() {
        return asked.columns;
    }

    List<RexNode> filters() {
        return asked.filters;
    }

    /** Whether all rows that pass the filters are given, one by one, so that more can be pushed. */
    boolean isWhole() {
        return asked.limit == 0 && !asked.counted;
    }

    Pushdown pushdown() {
        return new Pushdown(rows.fields(), getCluster().getRexBuilder());
    }

    /** This scan with some of its columns. */
    CollectionScan select(List<Integer> places) {
        List<Integer> selected = places.stream().map(asked.columns::get).toList();
        return with(selected, asked.filters, asked.order, asked.limit, asked.counted);
    }

    /** This scan with more filters. */
    CollectionScan where(List<RexNode> more) {
        List<RexNode> all = new ArrayList<>(asked.filters);
        all.addAll(more);
        return with(asked.columns, all, asked.order, asked.limit, asked.counted);
    }

    /** This scan without the rows where one of its columns is null. */
    CollectionScan present(int column) {
        RexBuilder builder = getCluster().getRexBuilder();
        RexNode value = builder.makeInputRef(
                table.getRowType().getFieldList().get(place(column)).getType(), place(column));
        boolean some = value.getType().isNullable();
        return some ? where(List.of(builder.makeCall(SqlStdOperatorTable.IS_NOT_NULL, value))) : this;
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
        RelFieldCollation placed = order == null ? null : order.withFieldIndex(place(order.getFieldIndex()));
        return with(asked.columns, asked.filters, placed, count, false);
    }

    /** The number of the rows, or rows of each value of a column and its number. */
    CollectionScan counted(List<Integer> by) {
        return with(by.stream().map(asked.columns::get).toList(), asked.filters, null, 0, true);
    }

    /** This scan without the rows whose values of a column are not among those of a join; null if it takes none. */
    @Nullable
    CollectionScan asking(int column, KeyJoin.Column keys) {
        boolean plain = kind(column) != FieldType.Kind.DOUBLE && kind(column) != FieldType.Kind.INSTANT;
        if (!isWhole() || !plain) {
            return null;
        }
        Map<KeyJoin.Column, Integer> all = new LinkedHashMap<>(asked.asking);
        all.put(keys, place(column));
        Asked other = new Asked(asked.columns, asked.filters, null, 0, false, all);
        return new CollectionScan(getCluster(), table, rows, other);
    }

    /** The time that reading will take, as the store estimates it. */
    double seconds(Bound bound) {
        return rows.collection().plan(query(bound)).seconds();
    }

    /** The rows that reading will give, to be compared with those of other scans. */
    double weight(Bound bound) {
        return seconds(bound) * Math.pow(PASSED_BY_A_FILTER, asked.filters.size());
    }

    /** The query of the store. */
    Query query(Bound bound) {
        Query query = whole(bound);
        Query limited = asked.limit == 0 ? query : query.limit(asked.limit);
        RelFieldCollation order = asked.order;
        if (order == null) {
            return limited;
        }
        Field<?> by = rows.fields().get(order.getFieldIndex());
        return order.direction.isDescending() ? limited.orderByDescending(by) : limited.orderBy(by);
    }

    /** The query for all rows, also where only the first ones are wanted. */
    Query whole(Bound bound) {
        Pushdown pushdown = pushdown();
        List<Condition> conditions = new ArrayList<>();
        for (RexNode filter : asked.filters) {
            Condition condition = pushdown.condition(filter, bound.parameters());
            conditions.add(condition == null ? Condition.all() : condition);
        }
        asked.asking.forEach((column, place) -> {
            Set<Object> keys = bound.keys().apply(column);
            conditions.add(
                    keys == null
                            ? Condition.all()
                            : Pushdown.among(rows.fields().get(place), keys));
        });
        Condition where = conditions.size() == 1 ? conditions.getFirst() : new Condition.And(conditions);
        return Query.where(where).select(fields());
    }

    /** The place among the columns of text by which rows are in order; negative if they are not. */
    int textOrder() {
        int place = asked.order == null ? -1 : asked.columns.indexOf(asked.order.getFieldIndex());
        return place >= 0 && kind(place) == FieldType.Kind.STRING ? place : -1;
    }

    /** The fields that are read. */
    List<Field<?>> fields() {
        Stream<Field<?>> of = asked.columns.stream().map(rows.fields()::get);
        return asked.counted ? Stream.concat(of, Stream.of(Query.COUNT)).toList() : of.toList();
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
        List<RelDataTypeField> all = table.getRowType().getFieldList();
        RelDataTypeFactory.Builder row = getCluster().getTypeFactory().builder();
        asked.columns.forEach(column -> row.add(all.get(column)));
        return asked.counted ? row.add(" count", SqlTypeName.BIGINT).build() : row.build();
    }

    @Override
    public void register(RelOptPlanner planner) {
        ScanRules.ALL.forEach(planner::addRule);
    }

    @Override
    public double estimateRowCount(RelMetadataQuery metadata) {
        double found = table.getRowCount() * Math.pow(PASSED_BY_A_FILTER, asked.filters.size());
        double given = !asked.counted ? found : asked.columns.isEmpty() ? 1 : found * OTHER_VALUES;
        return asked.limit == 0 ? given : Math.min(given, (double) asked.limit);
    }

    @Override
    public RelWriter explainTerms(RelWriter writer) {
        return super.explainTerms(writer)
                .item("table", rows.collection().name())
                .item("columns", fields().stream().map(Field::name).toList())
                .itemIf("filters", asked.filters, !asked.filters.isEmpty())
                .itemIf("order", String.valueOf(asked.order), asked.order != null)
                .itemIf("limit", asked.limit, asked.limit > 0)
                .itemIf("keys", asked.asking, !asked.asking.isEmpty());
    }

    /** The plan of the store, and its price, in words. */
    private String plan() {
        try {
            return rows.collection().plan(query(Bound.NONE)).toString();
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
