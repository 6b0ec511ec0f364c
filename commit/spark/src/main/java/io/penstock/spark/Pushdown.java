package io.penstock.spark;

import io.penstock.query.Condition;
import io.penstock.query.Condition.Operator;
import io.penstock.query.Field;
import io.penstock.query.FieldType.Kind;
import io.penstock.query.Fields;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Literal;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.filter.Predicate;

/**
 * The predicates of Spark that a store can evaluate, as conditions on fields: each holds exactly where its predicate
 * does, with nulls as in SQL. Spark and fields compare alike: numbers with NaN as the greatest, text and bytes as
 * unsigned bytes. An instant of Spark, of a microsecond, is a range of instants of a field. Pure.
 */
final class Pushdown {
    private final Fields fields;

    Pushdown(Fields fields) {
        this.fields = fields;
    }

    /** The conjunction of predicates that are all pushed. */
    Condition all(Predicate[] predicates) {
        return new Condition.And(parts(predicates).orElseThrow());
    }

    /** The field that an expression is a reference to. */
    Optional<Field<?>> field(Expression expression) {
        return expression instanceof NamedReference reference && reference.fieldNames().length == 1
                ? fields.find(reference.fieldNames()[0])
                : Optional.empty();
    }

    /** The condition of a predicate; empty if it is Spark's to evaluate. */
    Optional<Condition> condition(Expression predicate) {
        if (!(predicate instanceof Predicate known)) {
            return Optional.empty();
        }
        Expression[] operands = known.children();
        return switch (known.name()) {
            case "AND" -> parts(operands).map(Condition.And::new);
            case "OR" -> parts(operands).map(Condition.Or::new);
            case "NOT" -> condition(operands[0]).map(Condition::not);
            case "ALWAYS_TRUE" -> Optional.of(Condition.all());
            case "ALWAYS_FALSE" -> Optional.of(Condition.none());
            case "IS_NULL" -> field(operands[0]).map(Condition.IsNull::new);
            case "IS_NOT_NULL" -> field(operands[0]).map(Condition.IsNull::new).map(Condition::not);
            case "IN" -> in(operands);
            case "STARTS_WITH" -> value(operands, (field, value) -> Optional.of(Condition.startsWith(field, value)));
            case "<=>" -> value(operands, Pushdown::same);
            case "=", "<>", "<", "<=", ">", ">=" -> compared(known.name(), operands);
            default -> Optional.empty();
        };
    }

    private Optional<List<Condition>> parts(Expression[] predicates) {
        List<Condition> parts = new ArrayList<>();
        for (Expression predicate : predicates) {
            Optional<Condition> part = condition(predicate);
            if (part.isEmpty()) {
                return Optional.empty();
            }
            parts.add(part.get());
        }
        return Optional.of(parts);
    }

    private interface Make {
        Optional<Condition> of(Field<?> field, Object value);
    }

    /** A condition on a field and a value that follows it. */
    private Optional<Condition> value(Expression[] operands, Make make) {
        return field(operands[0]).flatMap(field -> literal(field, operands[1]).flatMap(value -> make.of(field, value)));
    }

    private static Optional<Object> literal(Field<?> field, Expression expression) {
        return expression instanceof Literal<?> literal
                        && SparkTypes.of(field.type()).equals(literal.dataType())
                ? Optional.ofNullable(SparkTypes.toField(field.type().kind(), literal.value()))
                : Optional.empty();
    }

    private Optional<Condition> compared(String name, Expression[] operands) {
        Make make = (field, value) -> Optional.of(compare(field, operator(name), value));
        if (operands[0] instanceof Literal<?>) {
            Make mirrored = (field, value) -> Optional.of(compare(field, mirrored(operator(name)), value));
            return value(new Expression[] {operands[1], operands[0]}, mirrored);
        }
        return value(operands, make);
    }

    private Optional<Condition> in(Expression[] operands) {
        List<Condition> each = new ArrayList<>();
        for (int i = 1; i < operands.length; i++) {
            Optional<Condition> one = value(
                    new Expression[] {operands[0], operands[i]},
                    (field, value) -> Optional.of(compare(field, Operator.EQ, value)));
            if (one.isEmpty()) {
                return Optional.empty(); // a null makes what is not found unknown
            }
            each.add(one.get());
        }
        return Optional.of(merged(each));
    }

    /** One membership for many equalities of one field. */
    private static Condition merged(List<Condition> each) {
        boolean plain = !each.isEmpty()
                && each.stream()
                        .allMatch(one -> one instanceof Condition.Compare equal && equal.operator() == Operator.EQ);
        if (!plain) {
            return new Condition.Or(each);
        }
        Function<Condition, Condition.Compare> equal = Condition.Compare.class::cast;
        return Condition.in(
                equal.apply(each.getFirst()).field(),
                each.stream().map(equal).map(Condition.Compare::value).toList());
    }

    /** Never unknown, unlike an equality. */
    private static Optional<Condition> same(Field<?> field, Object value) {
        Condition isThere = Condition.not(new Condition.IsNull(field));
        return Optional.of(Condition.and(isThere, compare(field, Operator.EQ, value)));
    }

    private static Condition compare(Field<?> field, Operator operator, Object value) {
        if (field.type().kind() != Kind.INSTANT) {
            return Condition.compare(field, operator, value);
        }
        Instant next = ((Instant) value).plus(1, ChronoUnit.MICROS);
        Condition from = Condition.compare(field, Operator.GE, value);
        Condition below = Condition.compare(field, Operator.LT, next);
        return switch (operator) {
            case EQ -> Condition.and(from, below);
            case NE -> Condition.not(Condition.and(from, below));
            case LT -> Condition.compare(field, Operator.LT, value);
            case LE -> below;
            case GT -> Condition.compare(field, Operator.GE, next);
            case GE -> from;
        };
    }

    private static Operator operator(String name) {
        return switch (name) {
            case "=" -> Operator.EQ;
            case "<>" -> Operator.NE;
            case "<" -> Operator.LT;
            case "<=" -> Operator.LE;
            case ">" -> Operator.GT;
            default -> Operator.GE;
        };
    }

    private static Operator mirrored(Operator operator) {
        return switch (operator) {
            case EQ, NE -> operator;
            case LT -> Operator.GT;
            case LE -> Operator.GE;
            case GT -> Operator.LT;
            case GE -> Operator.LE;
        };
    }
}
