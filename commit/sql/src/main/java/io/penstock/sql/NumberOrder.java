package io.penstock.sql;

import java.util.Comparator;
import java.util.List;
import org.apache.calcite.adapter.enumerable.EnumerableRel;
import org.apache.calcite.adapter.enumerable.EnumerableRelImplementor;
import org.apache.calcite.linq4j.function.Functions;
import org.apache.calcite.linq4j.tree.BlockStatement;
import org.apache.calcite.linq4j.tree.ConstantExpression;
import org.apache.calcite.linq4j.tree.Expression;
import org.apache.calcite.linq4j.tree.MethodCallExpression;
import org.apache.calcite.linq4j.tree.Shuttle;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.SingleRel;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.util.BuiltInMethod;
import org.jspecify.annotations.Nullable;

/**
 * A sort by one column of numbers in floating point, in the order of the store, where NaN is the greatest. Calcite
 * itself compares them as decimals, which NaN and the infinities are not. Immutable.
 */
final class NumberOrder extends SingleRel implements EnumerableRel {
    NumberOrder(RelNode sort) {
        super(sort.getCluster(), sort.getTraitSet(), sort);
    }

    /** Whether a sort is by one such column. */
    static boolean isOf(Sort sort) {
        List<Integer> columns = sort.getCollation().getKeys();
        return columns.size() == 1
                && switch (sort.getRowType()
                        .getFieldList()
                        .get(columns.getFirst())
                        .getType()
                        .getSqlTypeName()) {
                    case DOUBLE, FLOAT, REAL -> true;
                    default -> false;
                };
    }

    @Override
    public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
        return new NumberOrder(inputs.getFirst());
    }

    /** Puts other comparators into the code of the sort; those of sorts below are of the same form. */
    @Override
    public Result implement(EnumerableRelImplementor implementor, Prefer prefer) {
        Result sorted = implementor.visitChild(this, 0, (EnumerableRel) getInput(), prefer);
        BlockStatement block = sorted.block.accept(new Shuttle() {
            @Override
            public Expression visit(
                    MethodCallExpression call, @Nullable Expression target, List<Expression> arguments) {
                boolean compares = call.method.equals(BuiltInMethod.NULLS_COMPARATOR.method);
                return compares
                        ? implementor.stash(comparator(is(arguments.get(0)), is(arguments.get(1))), Comparator.class)
                        : super.visit(call, target, arguments);
            }
        });
        return implementor.result(sorted.physType, block);
    }

    private static boolean is(Expression constant) {
        return constant instanceof ConstantExpression known && Boolean.TRUE.equals(known.value);
    }

    private static <T extends Comparable<T>> Comparator<T> comparator(boolean nullsFirst, boolean reverse) {
        Comparator<T> others = Functions.nullsComparator(nullsFirst, reverse);
        return (one, other) -> {
            if (isFloating(one) && isFloating(other)) {
                int compared = Double.compare(((Number) one).doubleValue(), ((Number) other).doubleValue());
                return reverse ? -compared : compared;
            }
            return others.compare(one, other);
        };
    }

    private static boolean isFloating(@Nullable Object value) {
        return value instanceof Double || value instanceof Float;
    }
}
