package io.penstock.sql;

import io.penstock.query.Condition;
import io.penstock.query.Field;
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
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.runtime.Bindable;
import org.apache.calcite.sql.SqlExplainLevel;
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
    private final List<Integer> columns;
    private final List<RexNode> filters;
    private final long limit;

    /**
     * @param columns the numbers of the table's columns that it gives, one at least
     * @param filters on the table's columns; each has a condition
     * @param limit the maximum number of rows; 0 for no limit
     */
    private CollectionScan(
            RelOptCluster cluster,
            RelOptTable table,
            CollectionTable rows,
            List<Integer> columns,
            List<RexNode> filters,
            long limit) {
        super(cluster, cluster.traitSetOf(Convention.NONE));
        this.table = table;
        this.rows = rows;
        this.columns = List.copyOf(columns);
        this.filters = List.copyOf(filters);
        this.limit = limit;
    }

    /** All columns of all rows. */
    static CollectionScan of(RelOptCluster cluster, RelOptTable table, CollectionTable rows) {
        List<Integer> all = ImmutableIntList.identity(rows.fields().size());
        return new CollectionScan(cluster, table, rows, all, List.of(), 0);
    }

    List<Integer> columns() {
        return columns;
    }

    List<RexNode> filters() {
        return filters;
    }

    long limit() {
        return limit;
    }

    Pushdown pushdown() {
        return new Pushdown(rows.fields(), getCluster().getRexBuilder());
    }

    /** This scan with some of its columns. */
    CollectionScan select(List<Integer> places) {
        List<Integer> selected = places.stream().map(columns::get).toList();
        return new CollectionScan(getCluster(), table, rows, selected, filters, limit);
    }

    /** This scan with more filters. */
    CollectionScan where(List<RexNode> more) {
        List<RexNode> all = new ArrayList<>(filters);
        all.addAll(more);
        return new CollectionScan(getCluster(), table, rows, columns, all, limit);
    }

    /** This scan with a limit. */
    CollectionScan limited(long count) {
        return new CollectionScan(getCluster(), table, rows, columns, filters, count);
    }

    /**
     * The query of the store.
     *
     * @param parameters the values that are bound to parameters, by their numbers
     */
    Query query(IntFunction<@Nullable Object> parameters) {
        Pushdown pushdown = pushdown();
        List<Condition> conditions = new ArrayList<>();
        for (RexNode filter : filters) {
            Condition condition = pushdown.condition(filter, parameters);
            conditions.add(condition == null ? Condition.all() : condition);
        }
        Condition where = conditions.size() == 1 ? conditions.getFirst() : new Condition.And(conditions);
        return new Query(where, fields(), null, limit);
    }

    /** The fields that are read. */
    List<Field<?>> fields() {
        return columns.stream().<Field<?>>map(rows.fields()::get).toList();
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
        columns.forEach(column -> row.add(all.get(column)));
        return row.build();
    }

    @Override
    public void register(RelOptPlanner planner) {
        ScanRules.ALL.forEach(planner::addRule);
    }

    @Override
    public double estimateRowCount(RelMetadataQuery metadata) {
        double found = table.getRowCount() * Math.pow(PASSED_BY_A_FILTER, filters.size());
        return limit == 0 ? found : Math.min(found, (double) limit);
    }

    @Override
    public RelWriter explainTerms(RelWriter writer) {
        return super.explainTerms(writer)
                .item("table", rows.collection().name())
                .item("columns", fieldNames())
                .itemIf("filters", filters, !filters.isEmpty())
                .itemIf("limit", limit, limit > 0);
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
            double width = (scan.columns.size() + 2.0) / (scan.rows.fields().size() + 2.0);
            return planner.getCostFactory().makeCost(found, (found + 1) * width, 0);
        }

        @Override
        public RelWriter explainTerms(RelWriter writer) {
            boolean told = writer.getDetailLevel() != SqlExplainLevel.DIGEST_ATTRIBUTES;
            return scan.explainTerms(writer).itemIf("plan", told ? PlanText.of(scan) : "", told);
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
