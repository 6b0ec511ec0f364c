package io.penstock.sql;

import java.lang.reflect.Method;
import java.util.List;
import org.apache.calcite.DataContext;
import org.apache.calcite.adapter.enumerable.EnumerableRel;
import org.apache.calcite.adapter.enumerable.EnumerableRelImplementor;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.function.Function2;
import org.apache.calcite.linq4j.tree.BlockBuilder;
import org.apache.calcite.linq4j.tree.Expression;
import org.apache.calcite.linq4j.tree.Expressions;
import org.apache.calcite.linq4j.tree.Types;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.SingleRel;
import org.apache.calcite.sql.SqlExplainLevel;

/** A node of a plan whose rows go through code of this package. Immutable. */
final class Wrap extends SingleRel implements EnumerableRel {
    private static final Method APPLY = Types.lookupMethod(Function2.class, "apply", Object.class, Object.class);

    private final Code code;

    /** What is done with rows; its name says so. */
    interface Code extends Function2<DataContext, Enumerable<Object>, Enumerable<Object>> {}

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
        Result input = implementor.visitChild(this, 0, (EnumerableRel) getInput(), prefer);
        Expression rows = block.append("rows", input.block);
        Expression done = Expressions.call(
                implementor.stash(code, Function2.class), APPLY, implementor.getRootExpression(), rows);
        block.add(Expressions.return_(null, Expressions.convert_(done, Enumerable.class)));
        return implementor.result(input.physType, block.toBlock());
    }
}
