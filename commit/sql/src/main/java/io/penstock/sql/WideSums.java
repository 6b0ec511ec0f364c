package io.penstock.sql;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelShuttleImpl;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.RelFactories;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.metadata.DefaultRelMetadataProvider;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexWindow;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.tools.Program;
import org.apache.calcite.tools.Programs;
import org.apache.calcite.tools.RelBuilder;

/** Sums of whole numbers of 64 bits are decimals, so that they do not overflow: this makes their arguments decimals. */
final class WideSums extends RelShuttleImpl {
    /** Turns sub-queries into joins first, since aggregates in them count too. */
    static final Program PROGRAM = Programs.sequence(
            Programs.subQuery(DefaultRelMetadataProvider.INSTANCE),
            (planner, plan, traits, materializations, lattices) -> plan.accept(new WideSums()));

    private static final int LONG_DIGITS = 19;

    @Override
    public RelNode visit(LogicalAggregate aggregate) {
        RelNode input = aggregate.getInput().accept(this);
        RelBuilder builder = RelFactories.LOGICAL_BUILDER.create(input.getCluster(), null);
        List<RexNode> columns = new ArrayList<>(builder.push(input).fields());
        Map<Integer, Integer> wide = new HashMap<>();
        List<AggregateCall> calls = aggregate.getAggCallList().stream()
                .map(call ->
                        isNarrow(call, input) ? call.withArgList(List.of(widened(call, builder, columns, wide))) : call)
                .toList();
        RelNode below =
                wide.isEmpty() ? builder.build() : builder.project(columns).build();
        return LogicalAggregate.create(
                below, aggregate.getHints(), aggregate.getGroupSet(), aggregate.getGroupSets(), calls);
    }

    /** Sums over windows are expressions. */
    @Override
    public RelNode visit(LogicalProject project) {
        RexBuilder builder = project.getCluster().getRexBuilder();
        return super.visit(project).accept(new RexShuttle() {
            @Override
            public RexNode visitOver(RexOver over) {
                RexNode visited = super.visitOver(over);
                boolean narrow = visited instanceof RexOver sum
                        && !sum.getOperands().isEmpty()
                        && isNarrow(sum.getKind(), sum.getOperands().getFirst().getType());
                return narrow ? widened((RexOver) visited, builder) : visited;
            }
        });
    }

    private static RexNode widened(RexOver sum, RexBuilder builder) {
        RexWindow window = sum.getWindow();
        return builder.makeOver(
                sum.getType(),
                sum.getAggOperator(),
                List.of(wide(builder, sum.getOperands().getFirst())),
                window.partitionKeys,
                window.orderKeys,
                window.getLowerBound(),
                window.getUpperBound(),
                window.getExclude(),
                window.isRows(),
                true,
                false,
                sum.isDistinct(),
                sum.ignoreNulls());
    }

    private static boolean isNarrow(AggregateCall call, RelNode input) {
        return !call.getArgList().isEmpty() && isNarrow(call.getAggregation().getKind(), columnType(call, input));
    }

    private static boolean isNarrow(SqlKind kind, RelDataType argument) {
        boolean sums = kind == SqlKind.SUM || kind == SqlKind.SUM0 || kind == SqlKind.AVG;
        return sums && argument.getSqlTypeName() == SqlTypeName.BIGINT;
    }

    private static RelDataType columnType(AggregateCall call, RelNode input) {
        return input.getRowType()
                .getFieldList()
                .get(call.getArgList().getFirst())
                .getType();
    }

    /** The number of the column that has the argument as a decimal; it is added to the columns. */
    private static int widened(
            AggregateCall call, RelBuilder builder, List<RexNode> columns, Map<Integer, Integer> wide) {
        int argument = call.getArgList().getFirst();
        return wide.computeIfAbsent(argument, column -> {
            columns.add(wide(builder.getRexBuilder(), columns.get(column)));
            return columns.size() - 1;
        });
    }

    /** A whole number as a decimal. */
    static RexNode wide(RexBuilder builder, RexNode value) {
        RelDataTypeFactory types = builder.getTypeFactory();
        RelDataType decimal = types.createTypeWithNullability(
                types.createSqlType(SqlTypeName.DECIMAL, LONG_DIGITS, 0),
                value.getType().isNullable());
        return builder.makeCast(decimal, value);
    }
}
