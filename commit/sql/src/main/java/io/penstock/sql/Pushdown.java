package io.penstock.sql;

import io.penstock.query.Condition;
import io.penstock.query.Condition.Operator;
import io.penstock.query.Field;
import io.penstock.query.FieldType.Kind;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/**
 * The filters of SQL that a store can evaluate, as conditions on fields. A condition holds wherever its filter does; it
 * is exact if it holds nowhere else. Where SQL and fields compare in another way, such as text beyond U+D7FF by its
 * order, nothing is pushed. Pure.
 */
final class Pushdown {
    /** The value of a parameter while a statement is planned. */
    static final Object UNBOUND = new Object();

    private final List<Field<?>> fields;
    private final RexBuilder builder;

    /** @param fields by the numbers of their columns */
    Pushdown(List<Field<?>> fields, RexBuilder builder) {
        this.fields = fields;
        this.builder = builder;
    }

    /** Whether a filter has a condition. */
    boolean isPushable(RexNode filter) {
        return condition(filter, number -> UNBOUND) != null;
    }

    /** Whether what the condition finds need not be filtered again. */
    boolean isExact(RexNode filter) {
        return switch (filter.getKind()) {
            case AND, OR, SEARCH -> expanded(filter).stream().allMatch(this::isExact);
            case LIKE -> false;
            default ->
                !hasParameter(filter)
                        && columns(filter).noneMatch(field -> field.type().kind() == Kind.DOUBLE);
        };
    }

    private static boolean hasParameter(RexNode filter) {
        return filter instanceof RexDynamicParam
                || (filter instanceof RexCall call
                        && call.getOperands().stream().anyMatch(Pushdown::hasParameter));
    }

    private Stream<Field<?>> columns(RexNode filter) {
        return filter instanceof RexCall call
                ? call.getOperands().stream().flatMap(this::columns)
                : Stream.ofNullable(field(filter));
    }

    private List<RexNode> expanded(RexNode filter) {
        RexNode plain = RexUtil.expandSearch(builder, null, filter);
        return plain instanceof RexCall call && (plain.isA(SqlKind.AND) || plain.isA(SqlKind.OR))
                ? call.getOperands()
                : List.of(plain);
    }

    /**
     * The condition of a filter, or null if it has none.
     *
     * @param parameters the values that are bound to parameters, by their numbers
     */
    @Nullable
    Condition condition(RexNode filter, IntFunction<@Nullable Object> parameters) {
        if (filter instanceof RexInputRef) {
            return comparison(filter, Operator.EQ, builder.makeLiteral(true), parameters);
        }
        if (!(filter instanceof RexCall call)) {
            return null;
        }
        RexNode first = call.getOperands().getFirst();
        Field<?> field = field(first);
        return switch (filter.getKind()) {
            case SEARCH -> condition(RexUtil.expandSearch(builder, null, filter), parameters);
            case AND, OR -> junction(call, parameters);
            case IS_NULL -> field == null ? null : new Condition.IsNull(field);
            case IS_NOT_NULL -> field == null ? null : Condition.not(new Condition.IsNull(field));
            case NOT ->
                first instanceof RexInputRef
                        ? comparison(first, Operator.EQ, builder.makeLiteral(false), parameters)
                        : null;
            // ILIKE is of the same kind.
            case LIKE -> call.getOperator() == SqlStdOperatorTable.LIKE ? prefix(call) : null;
            default -> SqlKind.COMPARISON.contains(filter.getKind()) ? comparison(call, parameters) : null;
        };
    }

    /**
     * The condition that a field has one of some values.
     *
     * @param values as Calcite keeps them; others than those of the field have no part in it
     */
    static Condition among(Field<?> field, Set<Object> values) {
        return Condition.in(
                field,
                values.stream()
                        .map(value -> SqlTypes.toField(field.type().kind(), value))
                        .filter(Objects::nonNull)
                        .toList());
    }

    private @Nullable Condition junction(RexCall call, IntFunction<@Nullable Object> parameters) {
        List<Condition> parts = new ArrayList<>();
        for (RexNode operand : call.getOperands()) {
            Condition part = condition(operand, parameters);
            if (part == null) {
                return null;
            }
            parts.add(part);
        }
        if (call.isA(SqlKind.AND)) {
            return new Condition.And(parts);
        }
        Condition membership = membership(parts);
        return membership == null ? new Condition.Or(parts) : membership;
    }

    /** The membership that stands for equalities with one field; null if these are others. */
    private static @Nullable Condition membership(List<Condition> parts) {
        List<Object> values = new ArrayList<>();
        Field<?> field = null;
        for (Condition part : parts) {
            boolean equality = part instanceof Condition.Compare compare
                    && compare.operator() == Operator.EQ
                    && (field == null || field.equals(compare.field()));
            if (!equality) {
                return null;
            }
            Condition.Compare compare = (Condition.Compare) part;
            field = compare.field();
            values.add(compare.value());
        }
        return field == null ? null : Condition.in(field, values);
    }

    private @Nullable Condition comparison(RexCall call, IntFunction<@Nullable Object> parameters) {
        RexNode left = call.getOperands().get(0);
        RexNode right = call.getOperands().get(1);
        return field(left) == null
                ? comparison(right, operator(call.getKind().reverse()), left, parameters)
                : comparison(left, operator(call.getKind()), right, parameters);
    }

    private static Operator operator(SqlKind kind) {
        return switch (kind) {
            case EQUALS -> Operator.EQ;
            case NOT_EQUALS -> Operator.NE;
            case LESS_THAN -> Operator.LT;
            case LESS_THAN_OR_EQUAL -> Operator.LE;
            case GREATER_THAN -> Operator.GT;
            case GREATER_THAN_OR_EQUAL -> Operator.GE;
            default -> throw new IllegalArgumentException(kind.name());
        };
    }

    private @Nullable Condition comparison(
            RexNode column, Operator operator, RexNode with, IntFunction<@Nullable Object> parameters) {
        Field<?> field = field(column);
        if (field == null) {
            return null;
        }
        Kind kind = field.type().kind();
        Object bound;
        if (with instanceof RexDynamicParam parameter) {
            bound = parameters.apply(parameter.getIndex());
            if (bound == UNBOUND) {
                return Condition.all();
            }
            if (bound == null) {
                return Condition.none();
            }
        } else if (with instanceof RexLiteral literal && !literal.isNull()) {
            bound = literal(literal);
        } else {
            return null;
        }
        Object value = bound == null ? null : SqlTypes.toField(kind, bound);
        if (value == null || !agree(kind, operator, value)) {
            // The value of a parameter may have no condition; that of a literal is known in time.
            return with instanceof RexDynamicParam ? Condition.all() : null;
        }
        return compare(field, operator, value);
    }

    /** Whether SQL and fields agree on what relates to a value, up to what the condition finds too much. */
    private static boolean agree(Kind kind, Operator operator, Object value) {
        boolean equality = operator == Operator.EQ || operator == Operator.NE;
        return switch (kind) {
            case STRING -> equality || !isBeyond((String) value);
            case BYTES -> equality;
            case DOUBLE -> operator != Operator.NE && Double.isFinite((Double) value);
            default -> true;
        };
    }

    /** Whether text has what the order of SQL has elsewhere than that of fields: something beyond U+D7FF. */
    static boolean isBeyond(String text) {
        return text.chars().anyMatch(unit -> unit >= Character.MIN_SURROGATE);
    }

    private static Condition compare(Field<?> field, Operator operator, Object value) {
        return switch (field.type().kind()) {
            case DOUBLE -> near(field, operator, (Double) value);
            case INSTANT -> within(field, operator, (Instant) value);
            default -> Condition.compare(field, operator, value);
        };
    }

    /** A number in SQL may lie between two in floating point. */
    private static Condition near(Field<?> field, Operator operator, double value) {
        Condition from = Condition.compare(field, Operator.GE, Math.nextDown(value));
        Condition to = Condition.compare(field, Operator.LE, Math.nextUp(value));
        return switch (operator) {
            case LT, LE -> to;
            case GT, GE -> from;
            default -> Condition.and(from, to);
        };
    }

    /** SQL sees an instant rounded down to the millisecond. */
    private static Condition within(Field<?> field, Operator operator, Instant value) {
        Instant next = value.plusMillis(1);
        Condition before = Condition.compare(field, Operator.LT, value);
        Condition after = Condition.compare(field, Operator.GE, next);
        return switch (operator) {
            case LT -> before;
            case LE -> Condition.compare(field, Operator.LT, next);
            case GT -> after;
            case GE -> Condition.compare(field, Operator.GE, value);
            case EQ -> Condition.and(Condition.compare(field, Operator.GE, value), Condition.not(after));
            case NE -> Condition.or(before, after);
        };
    }

    /** The condition of {@code LIKE 'abc%'}: what begins so; also of longer patterns, which find less. */
    private @Nullable Condition prefix(RexCall call) {
        Field<?> field = field(call.getOperands().getFirst());
        boolean plain = field != null
                && field.type().kind() == Kind.STRING
                && call.getOperands().size() == 2
                && call.getOperands().get(1) instanceof RexLiteral literal
                && !literal.isNull();
        if (!plain || field == null) {
            return null;
        }
        String pattern = ((RexLiteral) call.getOperands().get(1)).getValueAs(String.class);
        if (pattern == null) {
            return null;
        }
        int end = 0;
        while (end < pattern.length() && "%_\\".indexOf(pattern.charAt(end)) < 0) {
            end++;
        }
        boolean agree = end > 0 && !isBeyond(pattern.substring(0, end));
        return agree ? Condition.startsWith(field, pattern.substring(0, end)) : null;
    }

    /** The field of a column that is not computed; null for others. */
    private @Nullable Field<?> field(RexNode node) {
        if (node instanceof RexInputRef column) {
            return fields.get(column.getIndex());
        }
        // Text of any length is compared with text of a given length.
        boolean widened = node instanceof RexCall call
                && call.isA(SqlKind.CAST)
                && call.getType().getSqlTypeName() == SqlTypeName.VARCHAR
                && call.getType().getPrecision() < 0
                && call.getOperands().getFirst().getType().getSqlTypeName() == SqlTypeName.VARCHAR;
        return widened ? field(((RexCall) node).getOperands().getFirst()) : null;
    }

    /** The value of a literal as Calcite keeps those of columns; null for types that no column has. */
    private static @Nullable Object literal(RexLiteral literal) {
        return switch (literal.getType().getSqlTypeName()) {
            case BOOLEAN -> literal.getValueAs(Boolean.class);
            case TINYINT, SMALLINT, INTEGER, BIGINT, DECIMAL -> literal.getValueAs(BigDecimal.class);
            case REAL, FLOAT, DOUBLE -> literal.getValueAs(Double.class);
            case CHAR, VARCHAR -> literal.getValueAs(String.class);
            case BINARY, VARBINARY -> literal.getValueAs(ByteString.class);
            case DATE -> literal.getValueAs(Integer.class);
            case TIMESTAMP -> literal.getValueAs(Long.class);
            default -> null;
        };
    }
}
