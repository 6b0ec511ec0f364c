package io.penstock.sql;

import java.sql.SQLFeatureNotSupportedException;
import java.util.List;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlQuantifyOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * Corrections of expressions that Calcite computes wrong. Amounts of whole numbers are taken in decimals: that of the
 * least one does not fit, which the cast back tells. A cast of what may be null to a type without null keeps the null:
 * Calcite infers from such a cast that its operand is not null, and leaves out the test for it.
 */
final class Corrections extends RelHomogeneousShuttle {
    /** Calcite mixes up columns of its own and of the table where it computes these. */
    private static final String REFUSED = "<> any, <> some and = all are not supported; use exists";

    /** Of these Calcite leaves out the distinct, looks beyond the frame, or begins groups anew too early. */
    private static final String REFUSED_WINDOWS =
            "distinct, nth_value and ntile are not supported in windows; compute them in the program";

    private final RexBuilder builder;

    Corrections(RexBuilder builder) {
        this.builder = builder;
    }

    @Override
    public RelNode visit(RelNode node) {
        return super.visit(node).accept(new RexShuttle() {
            @Override
            public RexNode visitCall(RexCall call) {
                RexNode visited = super.visitCall(call);
                return visited instanceof RexCall called ? corrected(called) : visited;
            }

            @Override
            public RexNode visitOver(RexOver over) {
                SqlKind kind = over.getAggOperator().getKind();
                if (over.isDistinct() || kind == SqlKind.NTH_VALUE || kind == SqlKind.NTILE) {
                    throw SqlFailures.unchecked(new SQLFeatureNotSupportedException(REFUSED_WINDOWS, "0A000"));
                }
                return super.visitOver(over);
            }

            @Override
            public RexNode visitSubQuery(RexSubQuery query) {
                if (query.getOperator() instanceof SqlQuantifyOperator some
                        && some.comparisonKind == SqlKind.NOT_EQUALS) {
                    throw SqlFailures.unchecked(new SQLFeatureNotSupportedException(REFUSED, "0A000"));
                }
                RexNode visited = super.visitSubQuery(query);
                return visited instanceof RexSubQuery sub ? sub.clone(sub.rel.accept(Corrections.this)) : visited;
            }
        });
    }

    private RexNode corrected(RexCall call) {
        RelDataType type = call.getType();
        if (call.isA(SqlKind.CAST)
                && !type.isNullable()
                && call.getOperands().getFirst().getType().isNullable()) {
            RelDataType nullable = builder.getTypeFactory().createTypeWithNullability(type, true);
            return builder.makeCast(nullable, call.getOperands().getFirst());
        }
        return call.getOperator() == SqlStdOperatorTable.ABS && SqlTypeName.INT_TYPES.contains(type.getSqlTypeName())
                ? wide(call)
                : call;
    }

    private RexNode wide(RexCall abs) {
        RexNode value = WideSums.wide(builder, abs.getOperands().getFirst());
        return builder.makeCast(
                abs.getType(), builder.makeCall(value.getType(), SqlStdOperatorTable.ABS, List.of(value)));
    }
}
