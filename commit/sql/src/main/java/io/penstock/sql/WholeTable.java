package io.penstock.sql;

import java.util.List;
import java.util.Set;
import org.apache.calcite.adapter.enumerable.EnumerableRules;
import org.apache.calcite.plan.Convention;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.tools.RelBuilder;
import org.apache.calcite.util.ImmutableBitSet;

/** A table in a plan before it has become a scan: all columns of all rows. Immutable. */
final class WholeTable extends TableScan {
    private final CollectionTable rows;

    WholeTable(RelOptCluster cluster, RelOptTable table, CollectionTable rows) {
        super(cluster, cluster.traitSetOf(Convention.NONE), List.of(), table);
        this.rows = rows;
    }

    CollectionScan scan() {
        return CollectionScan.of(getCluster(), table, rows);
    }

    @Override
    public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
        return this;
    }

    /** Leaves out what a plan does not use. */
    @Override
    public RelNode project(ImmutableBitSet used, Set<RelDataTypeField> extra, RelBuilder builder) {
        if (!extra.isEmpty() || used.isEmpty()) {
            return super.project(used, extra, builder);
        }
        return scan().select(used.asList());
    }

    @Override
    public void register(RelOptPlanner planner) {
        ScanRules.ALL.forEach(planner::addRule);
        // Scans are in no order, so that a merge would sort both sides, and could tell no keys.
        planner.removeRule(EnumerableRules.ENUMERABLE_MERGE_JOIN_RULE);
    }
}
