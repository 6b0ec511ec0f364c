package io.penstock.sql;

import io.penstock.query.FieldType;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.RelOptRuleCall;
import org.apache.calcite.plan.RelOptRuleOperand;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.RelFieldCollation.Direction;
import org.apache.calcite.rel.RelFieldCollation.NullDirection;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.RelFactories;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.logical.LogicalSort;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.tools.RelBuilder;
import org.apache.calcite.util.ImmutableBitSet;
import org.jspecify.annotations.Nullable;

/** The rules that push filters, columns, orders with limits, and aggregates to the scan of a collection. */
final class ScanRules {
    /** All of them. */
    static final List<RelOptRule> ALL = List.of(
            leaf("CollectionTable", CollectionTable.Whole.class, CollectionTable.Whole::scan),
            leaf("CollectionScan", CollectionScan.class, CollectionScan.Ready::new),
            rule("CollectionFilter", LogicalFilter.class, ScanRules::filter),
            rule("CollectionProject", LogicalProject.class, ScanRules::project),
            rule("CollectionLimit", LogicalSort.class, ScanRules::limit),
            rule("CollectionAggregate", LogicalAggregate.class, ScanRules::aggregate));

    private ScanRules() {}

    @SuppressWarnings("deprecation") // the other way takes a class of configurations
    private static RelOptRule rule(String name, Class<? extends RelNode> above, Consumer<RelOptRuleCall> push) {
        RelOptRuleOperand scan = RelOptRule.operand(CollectionScan.class, RelOptRule.none());
        return rule(name, RelOptRule.operand(above, scan), push);
    }

    @SuppressWarnings("deprecation")
    private static <R extends RelNode> RelOptRule leaf(String name, Class<R> type, Function<R, RelNode> to) {
        RelOptRuleOperand leaf = RelOptRule.operand(type, RelOptRule.none());
        return rule(name, leaf, call -> call.transformTo(to.apply(call.rel(0))));
    }

    private static RelOptRule rule(String name, RelOptRuleOperand shape, Consumer<RelOptRuleCall> push) {
        return new RelOptRule(shape, RelFactories.LOGICAL_BUILDER, name) {
            @Override
            public void onMatch(RelOptRuleCall call) {
                push.accept(call);
            }
        };
    }

    private static void filter(RelOptRuleCall call) {
        LogicalFilter filter = call.rel(0);
        CollectionScan scan = call.rel(1);
        if (!scan.isWhole()) {
            return;
        }
        Pushdown pushdown = scan.pushdown();
        List<RexNode> pushed = new ArrayList<>();
        List<RexNode> left = new ArrayList<>();
        for (RexNode part : RelOptUtil.conjunctions(filter.getCondition())) {
            RexNode ofTable = part.accept(renumbered(scan.columns()::get));
            boolean pushes = pushdown.isPushable(ofTable) && !scan.filters().contains(ofTable);
            if (pushes) {
                pushed.add(ofTable);
            }
            if (!pushes || !pushdown.isExact(ofTable)) {
                left.add(part);
            }
        }
        if (!pushed.isEmpty()) {
            call.transformTo(
                    call.builder().push(scan.where(pushed)).filter(left).build());
        }
    }

    private static void project(RelOptRuleCall call) {
        LogicalProject project = call.rel(0);
        CollectionScan scan = call.rel(1);
        ImmutableBitSet needed = RelOptUtil.InputFinder.bits(project.getProjects(), null);
        ImmutableBitSet used = needed.isEmpty() ? ImmutableBitSet.of(0) : needed;
        if (!scan.isWhole() || used.cardinality() == scan.getRowType().getFieldCount()) {
            return;
        }
        call.transformTo(call.builder()
                .push(scan.select(used.asList()))
                .project(
                        renumbered(used::indexOf).visitList(project.getProjects()),
                        project.getRowType().getFieldNames(),
                        true)
                .build());
    }

    private static void limit(RelOptRuleCall call) {
        LogicalSort sort = call.rel(0);
        CollectionScan scan = call.rel(1);
        List<RelFieldCollation> order = sort.getCollation().getFieldCollations();
        RelFieldCollation first = order.isEmpty() ? null : order.getFirst();
        boolean bounded = (first == null || order.size() == 1 && isOrder(first, scan))
                && sort.fetch instanceof RexLiteral
                && (sort.offset == null || sort.offset instanceof RexLiteral)
                && isExact(scan);
        if (!bounded) {
            return;
        }
        BigDecimal count = RexLiteral.bigDecimalValue(sort.fetch).add(offset(sort));
        boolean some = count.signum() > 0 && count.compareTo(BigDecimal.valueOf(Integer.MAX_VALUE)) < 0;
        if (some) {
            call.transformTo(sort.copy(sort.getTraitSet(), List.of(scan.limited(first, count.longValueExact()))));
        }
    }

    private static boolean isExact(CollectionScan scan) {
        return scan.isWhole() && scan.filters().stream().allMatch(scan.pushdown()::isExact);
    }

    /** Whether the store has the same order, up to text that the scan looks at. Its nulls are the greatest. */
    private static boolean isOrder(RelFieldCollation order, CollectionScan scan) {
        return order.direction.isDescending() == (order.nullDirection == NullDirection.FIRST)
                || !scan.getRowType()
                        .getFieldList()
                        .get(order.getFieldIndex())
                        .getType()
                        .isNullable();
    }

    private static void aggregate(RelOptRuleCall call) {
        LogicalAggregate aggregate = call.rel(0);
        CollectionScan scan = call.rel(1);
        boolean plain = aggregate.getGroupType() == Aggregate.Group.SIMPLE
                && isExact(scan)
                && aggregate.getAggCallList().stream().allMatch(ScanRules::isPlain);
        RelNode pushed = !plain
                ? null
                : switch (aggregate.getGroupCount()) {
                    case 0 -> values(call.builder(), aggregate, scan);
                    case 1 -> counts(call.builder(), aggregate, scan);
                    default -> null;
                };
        if (pushed != null) {
            call.transformTo(pushed);
        }
    }

    private static boolean isPlain(AggregateCall call) {
        return !call.isDistinct()
                && call.distinctKeys == null
                && call.filterArg < 0
                && call.getCollation().getFieldCollations().isEmpty()
                && call.getArgList().size() <= 1;
    }

    /** Asks for one value after the other, if that costs less than to read all rows. */
    private static @Nullable RelNode values(RelBuilder builder, LogicalAggregate aggregate, CollectionScan scan) {
        List<AggregateCall> calls = aggregate.getAggCallList();
        double seconds = 0;
        for (AggregateCall each : calls) {
            CollectionScan one = value(each, scan);
            if (one == null) {
                return null;
            }
            seconds += calls.size() == 1 ? 0 : one.seconds(CollectionScan.Bound.NONE);
            boolean isFirst = builder.size() == 0;
            builder.push(
                    each.getAggregation().getKind() == SqlKind.COUNT
                            ? one
                            : LogicalAggregate.create(
                                    one, List.of(), ImmutableBitSet.of(), null, List.of(each.withArgList(List.of(0)))));
            if (!isFirst) {
                builder.join(JoinRelType.INNER, builder.literal(true));
            }
        }
        boolean pays = calls.size() == 1 || builder.size() > 0 && seconds < scan.seconds(CollectionScan.Bound.NONE);
        return pays ? builder.convert(aggregate.getRowType(), true).build() : null;
    }

    /** A count is one of the store; the least and the greatest value are the first of an order. */
    private static @Nullable CollectionScan value(AggregateCall of, CollectionScan scan) {
        SqlKind kind = of.getAggregation().getKind();
        int column = of.getArgList().isEmpty() ? -1 : of.getArgList().getFirst();
        CollectionScan some = column < 0 ? scan : scan.present(column);
        if (kind == SqlKind.COUNT) {
            return some.counted(List.of());
        }
        // SQL and the store do not agree on the least value where there is NaN.
        boolean first = (kind == SqlKind.MIN || kind == SqlKind.MAX) && scan.kind(column) != FieldType.Kind.DOUBLE;
        Direction direction = kind == SqlKind.MIN ? Direction.ASCENDING : Direction.DESCENDING;
        return first ? some.select(List.of(column)).limited(new RelFieldCollation(0, direction), 1) : null;
    }

    /** Counts by the values of a column, where the store takes the same ones for equal: not for instants. */
    private static @Nullable RelNode counts(RelBuilder builder, LogicalAggregate aggregate, CollectionScan scan) {
        int column = aggregate.getGroupSet().nth(0);
        List<RelDataTypeField> types = scan.getRowType().getFieldList();
        boolean counts = scan.kind(column) != FieldType.Kind.INSTANT
                && aggregate.getAggCallList().stream()
                        .allMatch(each -> each.getAggregation().getKind() == SqlKind.COUNT
                                && each.getArgList().stream()
                                        .noneMatch(argument ->
                                                types.get(argument).getType().isNullable()));
        if (!counts) {
            return null;
        }
        builder.push(scan.counted(List.of(column)));
        List<RexNode> columns = new ArrayList<>(List.of(builder.field(0)));
        aggregate.getAggCallList().forEach(each -> columns.add(builder.field(1)));
        return builder.project(columns, aggregate.getRowType().getFieldNames(), true)
                .build();
    }

    private static BigDecimal offset(LogicalSort sort) {
        return sort.offset == null ? BigDecimal.ZERO : RexLiteral.bigDecimalValue(sort.offset);
    }

    /** Gives columns other numbers. */
    private static RexShuttle renumbered(IntUnaryOperator numbers) {
        return new RexShuttle() {
            @Override
            public RexNode visitInputRef(RexInputRef column) {
                return new RexInputRef(numbers.applyAsInt(column.getIndex()), column.getType());
            }
        };
    }
}
