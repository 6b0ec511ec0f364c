package io.penstock.sql;

import java.lang.reflect.Method;
import java.util.List;
import org.apache.calcite.DataContext;
import org.apache.calcite.adapter.enumerable.EnumerableRel;
import org.apache.calcite.adapter.enumerable.EnumerableRelImplementor;
import org.apache.calcite.linq4j.AbstractEnumerable;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Enumerator;
import org.apache.calcite.linq4j.function.Function2;
import org.apache.calcite.linq4j.tree.BlockBuilder;
import org.apache.calcite.linq4j.tree.Expression;
import org.apache.calcite.linq4j.tree.Expressions;
import org.apache.calcite.linq4j.tree.Types;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelShuttleImpl;
import org.apache.calcite.rel.SingleRel;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.RepeatUnion;
import org.apache.calcite.tools.Program;

/**
 * A node above each node of a plan that may give more rows than it reads, such as a join. It looks whether the
 * statement was canceled, so that one stops that makes rows without end.
 */
final class Guard extends SingleRel implements EnumerableRel {
    /** Sets guards into a plan that is ready. */
    static final Program PROGRAM = (planner, plan, traits, materializations, lattices) -> plan.accept(new Setter());

    private static final Function2<DataContext, Enumerable<Object>, Enumerable<Object>> GUARDED = Guard::guarded;

    private static final Method APPLY = Types.lookupMethod(Function2.class, "apply", Object.class, Object.class);

    private Guard(RelNode input) {
        super(input.getCluster(), input.getTraitSet(), input);
    }

    @Override
    public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
        return new Guard(inputs.getFirst());
    }

    @Override
    public Result implement(EnumerableRelImplementor implementor, Prefer prefer) {
        BlockBuilder block = new BlockBuilder();
        Result input = implementor.visitChild(this, 0, (EnumerableRel) getInput(), prefer);
        Expression rows = block.append("rows", input.block);
        Expression guard = implementor.stash(GUARDED, Function2.class);
        block.add(Expressions.return_(
                null,
                Expressions.convert_(
                        Expressions.call(guard, APPLY, implementor.getRootExpression(), rows), Enumerable.class)));
        return implementor.result(input.physType, block.toBlock());
    }

    private static Enumerable<Object> guarded(DataContext context, Enumerable<Object> rows) {
        Cut cut = Cut.of(context);
        return new AbstractEnumerable<>() {
            @Override
            public Enumerator<Object> enumerator() {
                return new Checked(cut, rows.enumerator());
            }
        };
    }

    private record Checked(Cut cut, Enumerator<Object> rows) implements Enumerator<Object> {
        @Override
        public boolean moveNext() {
            cut.check();
            return rows.moveNext();
        }

        @Override
        public Object current() {
            return rows.current();
        }

        @Override
        public void reset() {
            rows.reset();
        }

        @Override
        public void close() {
            rows.close();
        }
    }

    private static final class Setter extends RelShuttleImpl {
        @Override
        public RelNode visit(RelNode node) {
            RelNode guarded = visitChildren(node);
            boolean grows = node instanceof Join || node instanceof Correlate || node instanceof RepeatUnion;
            return grows ? new Guard(guarded) : guarded;
        }
    }
}
