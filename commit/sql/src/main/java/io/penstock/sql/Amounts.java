package io.penstock.sql;

import java.util.List;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;

/** Amounts of whole numbers are taken in decimals: that of the least one does not fit, which the cast back tells. */
final class Amounts extends RelHomogeneousShuttle {
    private final RexBuilder builder;

    Amounts(RexBuilder builder) {
        this.builder = builder;
    }

    @Override
    public RelNode visit(RelNode node) {
        return super.visit(node).accept(new RexShuttle() {
            @Override
            public RexNode visitCall(RexCall call) {
                RexNode visited = super.visitCall(call);
                return visited instanceof RexCall abs
                                && abs.getOperator() == SqlStdOperatorTable.ABS
                                && SqlTypeName.INT_TYPES.contains(abs.getType().getSqlTypeName())
                        ? wide(abs)
                        : visited;
            }

            @Override
            public RexNode visitSubQuery(RexSubQuery query) {
                RexNode visited = super.visitSubQuery(query);
                return visited instanceof RexSubQuery sub ? sub.clone(sub.rel.accept(Amounts.this)) : visited;
            }
        });
    }

    private RexNode wide(RexCall abs) {
        RexNode value = WideSums.wide(builder, abs.getOperands().getFirst());
        return builder.makeCast(
                abs.getType(), builder.makeCall(value.getType(), SqlStdOperatorTable.ABS, List.of(value)));
    }
}
