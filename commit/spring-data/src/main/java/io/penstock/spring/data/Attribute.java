package io.penstock.spring.data;

import io.penstock.core.Bytes;
import io.penstock.query.Condition;
import io.penstock.query.Condition.Operator;
import io.penstock.query.Field;
import io.penstock.query.FieldType;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.util.NumberUtils;
import org.springframework.util.ObjectUtils;

/**
 * A property that a query can ask for.
 *
 * @param path its name, or those of a key and of its part
 * @param field that queries name
 * @param of the property of a value
 */
record Attribute<T>(String path, Field<?> field, Function<T, @Nullable Object> of) {
    /** A property as the order of a list; nulls come last. */
    record By<T>(Attribute<T> attribute, boolean descending) implements Comparator<T> {
        @Override
        public int compare(T one, T other) {
            return Comparator.nullsLast(descending ? values().reversed() : values())
                    .compare(attribute.of.apply(one), attribute.of.apply(other));
        }

        String path() {
            return attribute.path;
        }

        private Comparator<Object> values() {
            FieldType<?> type = attribute.field.type();
            return (one, other) -> compare(type, one, other);
        }

        private static <F> int compare(FieldType<F> type, Object one, Object other) {
            return type.compare(type.javaType().cast(one), type.javaType().cast(other));
        }

        /** The records up to a value of the field. */
        Condition upTo(Object value) {
            return Condition.compare(attribute.field, descending ? Operator.GE : Operator.LE, value);
        }

        /** The records beyond a value. */
        Condition beyond(@Nullable Object value) {
            if (value == null) {
                return Condition.none();
            }
            Condition beyond = attribute.compare(descending ? Operator.LT : Operator.GT, value);
            return attribute.field.isNullable() ? Condition.or(beyond, attribute.field.isNull()) : beyond;
        }
    }

    Condition is(@Nullable Object value) {
        return value == null ? field.isNull() : compare(Operator.EQ, value);
    }

    Condition isNot(@Nullable Object value) {
        return value == null ? Condition.not(field.isNull()) : compare(Operator.NE, value);
    }

    Condition compare(Operator operator, @Nullable Object value) {
        return Condition.compare(field, operator, typed(value));
    }

    Condition startsWith(@Nullable Object prefix) {
        return Condition.startsWith(field, typed(prefix));
    }

    /** @param values a collection or an array */
    Condition in(@Nullable Object values) {
        Collection<?> all =
                values instanceof Collection<?> some ? some : Arrays.asList(ObjectUtils.toObjectArray(values));
        return Condition.in(field, all.stream().map(this::typed).toList());
    }

    /** The value in the type of the field, as {@code Fields.ofClass} maps properties. */
    private Object typed(@Nullable Object value) {
        Class<?> type = field.type().javaType();
        return switch (value) {
            case null -> throw refused("a value is null; ask for nulls with IsNull");
            case Enum<?> constant -> constant.name();
            case UUID id -> id.toString();
            case byte[] bytes -> Bytes.wrap(bytes.clone());
            case Number number when Number.class.isAssignableFrom(type) -> typed(number, type.asSubclass(Number.class));
            default -> value;
        };
    }

    private Object typed(Number value, Class<? extends Number> type) {
        if (type == Double.class) {
            return value.doubleValue();
        }
        boolean floating = value instanceof Double || value instanceof Float;
        if (floating && !Double.isFinite(value.doubleValue())) {
            throw refused("NaN and infinities are no values of the property; ask without them");
        }
        Number typed = NumberUtils.convertNumberToTargetClass(value, type);
        if (new BigDecimal(typed.toString()).compareTo(new BigDecimal(value.toString())) != 0) {
            throw refused("a number does not fit the property; change the type of the parameter");
        }
        return typed;
    }

    private InvalidDataAccessApiUsageException refused(String why) {
        return new InvalidDataAccessApiUsageException(why + ": " + path);
    }
}
