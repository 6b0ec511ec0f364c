package io.penstock.sql;

import io.penstock.core.InvalidRequestException;
import io.penstock.sql.KeyJoin.Column;
import io.penstock.sql.KeyJoin.Side;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.calcite.DataContext;
import org.apache.calcite.adapter.enumerable.EnumerableHashJoin;
import org.apache.calcite.adapter.enumerable.EnumerableLimit;
import org.apache.calcite.adapter.enumerable.EnumerableRel;
import org.apache.calcite.adapter.enumerable.EnumerableRelImplementor;
import org.apache.calcite.adapter.enumerable.JavaRowFormat;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.function.Function2;
import org.apache.calcite.linq4j.tree.BlockBuilder;
import org.apache.calcite.linq4j.tree.Expression;
import org.apache.calcite.linq4j.tree.Expressions;
import org.apache.calcite.linq4j.tree.Types;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelShuttleImpl;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.SingleRel;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Calc;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.RepeatUnion;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexLocalRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlExplainLevel;
import org.apache.calcite.tools.Program;
import org.jspecify.annotations.Nullable;

/** The last pass over a plan that is ready: it sets guards, and lets scans on a side of a join ask for its keys. */
final class LastPass extends RelShuttleImpl {
    static final Program PROGRAM = (planner, plan, traits, materializations, lattices) -> plan.accept(new LastPass());

    private int joins;

    /** The number of nodes above that run what is below many times. */
    private int repeats;

    private LastPass() {}

    @Override
    public RelNode visit(RelNode node) {
        boolean repeating = node instanceof Correlate || node instanceof RepeatUnion;
        repeats += repeating ? 1 : 0;
        RelNode visited = visitChildren(node);
        repeats -= repeating ? 1 : 0;
        RelNode asking = visited instanceof EnumerableHashJoin join && repeats == 0 ? keyed(join) : counting(visited);
        if (asking instanceof Sort sort && NumberOrder.isOf(sort)) {
            return new NumberOrder(sort);
        }
        return repeating || node instanceof Join ? new Wrap(asking, new Guard()) : asking;
    }

    /** A node that fails before it reads rows when it is to skip or give a number of rows that is none. */
    private static RelNode counting(RelNode node) {
        Stream<@Nullable RexNode> numbers = switch (node) {
            case EnumerableLimit limit -> Stream.of(limit.offset, limit.fetch);
            case Sort sort -> Stream.of(sort.offset, sort.fetch);
            default -> Stream.empty();
        };
        List<String> parameters = new ArrayList<>();
        numbers.filter(Objects::nonNull).forEach(number -> {
            if (number instanceof RexDynamicParam parameter) {
                parameters.add(parameter.getName());
            } else {
                Counts.require(RexLiteral.bigDecimalValue(number));
            }
        });
        return parameters.isEmpty()
                ? node
                : node.copy(node.getTraitSet(), List.of(new Wrap(node.getInput(0), new Counts(parameters))));
    }

    private RelNode keyed(EnumerableHashJoin join) {
        List<RelNode> sides = new ArrayList<>(join.getInputs());
        List<Integer> leftKeys = new ArrayList<>();
        List<Integer> rightKeys = new ArrayList<>();
        List<Boolean> withoutNulls = new ArrayList<>();
        RelOptUtil.splitJoinCondition(
                join.getLeft(),
                join.getRight(),
                join.getCondition(),
                leftKeys,
                rightKeys,
                withoutNulls,
                new ArrayList<>());
        Set<Side> told = EnumSet.noneOf(Side.class);
        joins++;
        for (int i = 0; i < leftKeys.size(); i++) {
            Column left = new Column(joins, Side.LEFT, leftKeys.get(i));
            Column right = new Column(joins, Side.RIGHT, rightKeys.get(i));
            boolean plain = withoutNulls.get(i);
            if (plain && join.getJoinType().canPushLeftFromWithin() && tell(right, sides, left)) {
                told.add(Side.RIGHT);
            }
            if (plain && join.getJoinType().canPushRightFromWithin() && tell(left, sides, right)) {
                told.add(Side.LEFT);
            }
        }
        if (told.isEmpty()) {
            return join;
        }
        KeyJoin keys = new KeyJoin(joins, sides.stream().map(LastPass::scans).toList(), told);
        for (Side side : Side.values()) {
            sides.set(side.ordinal(), new Wrap(sides.get(side.ordinal()), new KeyJoin.Reading(keys, side)));
        }
        return join.copy(join.getTraitSet(), sides);
    }

    /** Lets a side ask for the keys of the other, and returns whether it can. */
    private static boolean tell(Column keys, List<RelNode> sides, Column to) {
        RelNode asking = asking(sides.get(to.side().ordinal()), to.column(), keys);
        if (asking != null) {
            sides.set(to.side().ordinal(), asking);
        }
        return asking != null;
    }

    private static List<CollectionScan> scans(RelNode node) {
        return node instanceof CollectionScan.Ready ready
                ? List.of(ready.scan())
                : node.getInputs().stream()
                        .flatMap(input -> scans(input).stream())
                        .toList();
    }

    /** A node of which only rows are needed whose column is among some keys; null if no scan below can leave others. */
    private static @Nullable RelNode asking(RelNode node, int column, Column keys) {
        return switch (node) {
            case CollectionScan.Ready ready -> {
                CollectionScan asking = ready.scan().asking(column, keys);
                yield asking == null ? null : new CollectionScan.Ready(asking);
            }
            case Calc calc -> {
                RexLocalRef value = calc.getProgram().getProjectList().get(column);
                yield calc.getProgram().expandLocalRef(value) instanceof RexInputRef input
                        ? below(calc, 0, input.getIndex(), keys)
                        : null;
            }
            case Wrap wrap -> below(wrap, 0, column, keys);
            case Aggregate aggregate ->
                aggregate.getGroupType() == Aggregate.Group.SIMPLE && column < aggregate.getGroupCount()
                        ? below(aggregate, 0, aggregate.getGroupSet().nth(column), keys)
                        : null;
            default -> null;
        };
    }

    private static @Nullable RelNode below(RelNode node, int input, int column, Column keys) {
        RelNode asking = asking(node.getInput(input), column, keys);
        if (asking == null) {
            return null;
        }
        List<RelNode> inputs = new ArrayList<>(node.getInputs());
        inputs.set(input, asking);
        return node.copy(node.getTraitSet(), inputs);
    }

    /** Looks whether the statement was canceled at each row of a node that may give more than it reads. */
    private record Guard() implements Code {
        @Override
        public Enumerable<Object> apply(DataContext context, Enumerable<Object> rows) {
            Cut cut = Cut.of(context);
            return rows.where(row -> {
                cut.check();
                return true;
            });
        }
    }

    /** Looks at the numbers of rows that parameters give: Calcite takes negative ones, and breaks at null. */
    private record Counts(List<String> parameters) implements Code {
        private static final BigDecimal MAX = BigDecimal.valueOf(Integer.MAX_VALUE);

        @Override
        public Enumerable<Object> apply(DataContext context, Enumerable<Object> rows) {
            parameters.forEach(name -> require(context.get(name) instanceof Integer n ? BigDecimal.valueOf(n) : null));
            return rows;
        }

        static void require(@Nullable BigDecimal number) {
            if (number == null || number.signum() < 0 || number.compareTo(MAX) > 0) {
                throw new InvalidRequestException(
                        "fetch and offset take numbers of rows from 0 to " + MAX + "; give such a one",
                        "given",
                        String.valueOf(number));
            }
        }
    }

    /** A step of code between the rows of two nodes, shown in plans by its name. */
    interface Code extends Function2<DataContext, Enumerable<Object>, Enumerable<Object>> {}

    /** A node of a plan whose rows go through code of this package. Immutable. */
    private static final class Wrap extends SingleRel implements EnumerableRel {
        private static final Method APPLY = Types.lookupMethod(Function2.class, "apply", Object.class, Object.class);

        private final Code code;

        Wrap(RelNode input, Code code) {
            super(input.getCluster(), input.getTraitSet(), input);
            this.code = code;
        }

        @Override
        public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
            return new Wrap(inputs.getFirst(), code);
        }

        @Override
        public RelWriter explainTerms(RelWriter writer) {
            boolean told = writer.getDetailLevel() != SqlExplainLevel.DIGEST_ATTRIBUTES;
            return super.explainTerms(writer).itemIf("does", told ? code.toString() : "", told);
        }

        @Override
        public Result implement(EnumerableRelImplementor implementor, Prefer prefer) {
            BlockBuilder block = new BlockBuilder();
            // Keys are found in arrays, and in values of one column; rows of other forms stay as they are.
            Result input = implementor.visitChild(this, 0, (EnumerableRel) getInput(), prefer);
            boolean known = input.format == JavaRowFormat.ARRAY || input.format == JavaRowFormat.SCALAR;
            if (code instanceof KeyJoin.Reading && !known) {
                return input;
            }
            Expression rows = block.append("rows", input.block);
            Expression done = Expressions.call(
                    implementor.stash(code, Function2.class), APPLY, implementor.getRootExpression(), rows);
            block.add(Expressions.return_(null, Expressions.convert_(done, Enumerable.class)));
            return implementor.result(input.physType, block.toBlock());
        }
    }
}
