package io.penstock.query;

import io.penstock.core.InvalidRequestException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * A condition on the fields of a record: true, false or, where nulls are compared, unknown, as in SQL. A query finds
 * the records where it is true. The conditions compare values by their {@link FieldType} only. Immutable.
 */
public sealed interface Condition {
    /** The ways in which a field relates to a value. */
    enum Operator {
        /** Equal. */
        EQ,
        /** Not equal. */
        NE,
        /** Less. */
        LT,
        /** Less or equal. */
        LE,
        /** Greater. */
        GT,
        /** Greater or equal. */
        GE
    }

    /**
     * A comparison, unknown where the field is null.
     *
     * @param field that is compared
     * @param operator the way
     * @param value of the field's type
     */
    record Compare(Field<?> field, Operator operator, Object value) implements Condition {
        public Compare {
            var unused = field.type().require(field.name(), value);
        }
    }

    /**
     * A membership, unknown where the field is null.
     *
     * @param field that is looked up
     * @param values of the field's type; none makes it false
     */
    record In(Field<?> field, List<Object> values) implements Condition {
        public In {
            values = field.require(values);
        }
    }

    /**
     * A prefix of text or bytes, unknown where the field is null.
     *
     * @param field of text or bytes
     * @param prefix of the field's type
     */
    record Prefix(Field<?> field, Object prefix) implements Condition {
        public Prefix {
            var unused = field.type().require(field.name(), prefix);
            boolean has = field.type().equals(FieldType.STRING) || field.type().equals(FieldType.BYTES);
            if (!has) {
                throw new InvalidRequestException(
                        "only text and bytes have a beginning; use a comparison", "field", field.name());
            }
        }
    }

    /**
     * A question for null, never unknown.
     *
     * @param field that is asked for
     */
    record IsNull(Field<?> field) implements Condition {}

    /**
     * A conjunction; of none it is true.
     *
     * @param parts that all must hold
     */
    record And(List<Condition> parts) implements Condition {
        public And {
            parts = List.copyOf(parts);
        }
    }

    /**
     * A disjunction; of none it is false.
     *
     * @param parts of which one must hold
     */
    record Or(List<Condition> parts) implements Condition {
        public Or {
            parts = List.copyOf(parts);
        }
    }

    /**
     * A negation; unknown stays unknown.
     *
     * @param part that must not hold
     */
    record Not(Condition part) implements Condition {}

    /** A condition that every record fulfils. */
    static Condition all() {
        return new And(List.of());
    }

    /** A condition that no record fulfils, such as a comparison with null. */
    static Condition none() {
        return new Or(List.of());
    }

    /** All of some conditions. */
    static Condition and(Condition... parts) {
        return new And(Arrays.asList(parts));
    }

    /** One of some conditions at least. */
    static Condition or(Condition... parts) {
        return new Or(Arrays.asList(parts));
    }

    /** The opposite of a condition. */
    static Condition not(Condition part) {
        return new Not(part);
    }

    /**
     * A comparison of a field whose type is not known to the compiler.
     *
     * @throws InvalidRequestException when the value is null or of another type
     */
    static Condition compare(Field<?> field, Operator operator, Object value) {
        return new Compare(field, operator, value);
    }

    /**
     * A membership of a field whose type is not known to the compiler.
     *
     * @throws InvalidRequestException when a value is null or of another type
     */
    static Condition in(Field<?> field, Collection<?> values) {
        return new In(field, new ArrayList<>(values));
    }

    /**
     * A prefix of a field whose type is not known to the compiler.
     *
     * @throws InvalidRequestException when the prefix is no text and no bytes, or the field is neither
     */
    static Condition startsWith(Field<?> field, Object prefix) {
        return new Prefix(field, prefix);
    }
}
