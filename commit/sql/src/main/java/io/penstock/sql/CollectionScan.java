package io.penstock.sql;

import io.penstock.core.StoreException;
import io.penstock.query.Condition;
import io.penstock.query.Field;
import io.penstock.query.FieldType;
import io.penstock.query.Query;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
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
     * @param counted whether it gives the number of rows alone
     */
    private record Asked(
            List<Integer> columns,
            List<RexNode> filters,
            @Nullable RelFieldCollation order,
            long limit,
            boolean counted) {}

    private CollectionScan(RelOptCluster cluster, RelOptTable table, CollectionTable rows, Asked asked) {
        super(cluster, cluster.traitSetOf(Convention.NONE));
        this.table = table;
        this.rows = rows;
        this.asked = asked;
    }

    /** All columns of all rows. */
    static CollectionScan of(RelOptCluster cluster, RelOptTable table, CollectionTable rows) {
        List<Integer> all = ImmutableIntList.identity(rows.fields().size());
        return new CollectionScan(cluster, table, rows, new Asked(all, List.of(), null, 0, false));
    }

    private CollectionScan with(
            List<Integer> columns,
            List<RexNode> filters,
            @Nullable RelFieldCollation order,
            long limit,
            boolean counted) {
        return new CollectionScan(
                getCluster(),
                table,
                rows,
                new Asked(List.copyOf(columns), List.copyOf(filters), order, limit, counted));
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

    /** The number of the rows. */
    CollectionScan counted() {
        return with(asked.columns, asked.filters, null, 0, true);
    }

    /**
     * The query of the store.
     *
     * @param parameters the values that are bound to parameters, by their numbers
     */
    Query query(IntFunction<@Nullable Object> parameters) {
        Pushdown pushdown = pushdown();
        List<Condition> conditions = new ArrayList<>();
        for (RexNode filter : asked.filters) {
            Condition condition = pushdown.condition(filter, parameters);
            conditions.add(condition == null ? Condition.all() : condition);
        }
        Condition where = conditions.size() == 1 ? conditions.getFirst() : new Condition.And(conditions);
        Query query = Query.where(where).select(fields());
        Query limited = asked.limit == 0 ? query : query.limit(asked.limit);
        RelFieldCollation order = asked.order;
        if (order == null) {
            return limited;
        }
        Field<?> by = rows.fields().get(order.getFieldIndex());
        return order.direction.isDescending() ? limited.orderByDescending(by) : limited.orderBy(by);
    }

    /** The fields that are read. */
    List<Field<?>> fields() {
        if (asked.counted) {
            return List.of(Query.COUNT);
        }
        return asked.columns.stream().<Field<?>>map(rows.fields()::get).toList();
    }

    private List<String> fieldNames() {
        return fields().stream().map(Field::name).toList();
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
        if (asked.counted) {
            return row.add(Query.COUNT.name(), SqlTypeName.BIGINT).build();
        }
        asked.columns.forEach(column -> row.add(all.get(column)));
        return row.build();
    }

    @Override
    public void register(RelOptPlanner planner) {
        ScanRules.ALL.forEach(planner::addRule);
    }

    @Override
    public double estimateRowCount(RelMetadataQuery metadata) {
        double found = table.getRowCount() * Math.pow(PASSED_BY_A_FILTER, asked.filters.size());
        return asked.counted ? 1 : asked.limit == 0 ? found : Math.min(found, (double) asked.limit);
    }

    @Override
    public RelWriter explainTerms(RelWriter writer) {
        return super.explainTerms(writer)
                .item("table", rows.collection().name())
                .item("columns", fieldNames())
                .itemIf("filters", asked.filters, !asked.filters.isEmpty())
                .itemIf("order", String.valueOf(asked.order), asked.order != null)
                .itemIf("limit", asked.limit, asked.limit > 0);
    }

    /** The plan of the store, and its price, in words. */
    private String plan() {
        try {
            return rows.collection().plan(query(number -> Pushdown.UNBOUND)).toString();
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
