package io.penstock.query;

import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A typed field of records, declared by {@code RecordCollection.declare}: a part of their key ({@link KeyField}) or of
 * their value ({@link ValueField}). Its methods make conditions on it. Give it another {@link #meaning} when what it
 * extracts changes: summaries know it by that and its type.
 *
 * <p>Immutable, and safe for use by many threads if its function is.
 *
 * @param <T> the class of its values
 */
public abstract sealed class Field<T> permits KeyField, ValueField {
    private final String name;
    private final FieldType<T> type;
    private final String meaning;

    Field(String name, FieldType<T> type, String meaning) {
        if (!name.matches("[A-Za-z_][A-Za-z0-9_]{0,63}")) {
            throw new InvalidRequestException(
                    "the name of a field must be 1 to 64 of A-Z a-z 0-9 _ and begin with no digit", "name", name);
        }
        this.name = name;
        this.type = type;
        this.meaning = meaning;
    }

    /** A field of the value, which may be null. */
    public static <V, T> ValueField<V, T> of(
            String name, FieldType<T> type, Function<? super V, ? extends @Nullable T> by) {
        return new ValueField<>(name, type, name, by, true);
    }

    /** The whole key, whose codec must be that of the type. Conditions on it become key ranges. */
    public static <T> KeyField<T> key(String name, FieldType<T> type) {
        return KeyField.part(name, type, KeyField.WHOLE);
    }

    /**
     * A part of a key of several parts ({@code Keys.pair}, {@code Keys.of}), whose codec must be that of the type.
     * Conditions on the first part become key ranges, and on later ones if those before are given.
     *
     * @param part its number, from 0
     */
    public static <T> KeyField<T> keyPart(String name, FieldType<T> type, int part) {
        if (part < 0) {
            throw new InvalidRequestException("parts of keys are numbered from 0", "field", name, "part", part);
        }
        return KeyField.part(name, type, part);
    }

    /** A field that is computed from the key. Conditions on it become no key ranges. */
    public static <K, T> KeyField<T> ofKey(
            String name, FieldType<T> type, Class<K> keys, Function<? super K, ? extends @Nullable T> by) {
        return new KeyField<>(name, type, name, KeyField.COMPUTED, key -> by.apply(keys.cast(key)));
    }

    /** The name, unique within its collection. */
    public final String name() {
        return name;
    }

    /** The type. */
    public final FieldType<T> type() {
        return type;
    }

    /**
     * The meaning of its values: two fields of one meaning and type are equal in every record. A part of the key has
     * that of its place, a field of a class that of its property and of the type of that; others have their names.
     */
    public final String meaning() {
        return meaning;
    }

    /** Returns this field as one of another meaning. */
    public abstract Field<T> meaning(String value);

    /** Whether it may be null in some record. */
    public abstract boolean isNullable();

    /** The records where it equals a value. */
    public final Condition eq(T value) {
        return compare(Condition.Operator.EQ, value);
    }

    /** The records where it has another value, and is not null. */
    public final Condition ne(T value) {
        return compare(Condition.Operator.NE, value);
    }

    /** The records where it is less. */
    public final Condition lt(T value) {
        return compare(Condition.Operator.LT, value);
    }

    /** The records where it is less or equal. */
    public final Condition le(T value) {
        return compare(Condition.Operator.LE, value);
    }

    /** The records where it is greater. */
    public final Condition gt(T value) {
        return compare(Condition.Operator.GT, value);
    }

    /** The records where it is greater or equal. */
    public final Condition ge(T value) {
        return compare(Condition.Operator.GE, value);
    }

    /** The records where it is between two values, both inclusive. */
    public final Condition between(T low, T high) {
        return Condition.and(ge(low), le(high));
    }

    /** The records where it is one of some values. */
    public final Condition in(Collection<? extends T> values) {
        return Condition.in(this, values);
    }

    /** The records where it is null. */
    public final Condition isNull() {
        return new Condition.IsNull(this);
    }

    /**
     * The records where its text or bytes begin with these; text by code points, so that half of a surrogate pair is
     * not the beginning of a pair.
     */
    public final Condition startsWith(T prefix) {
        return Condition.startsWith(this, prefix);
    }

    /** The records where it relates to a value. */
    public final Condition compare(Condition.Operator operator, T value) {
        return Condition.compare(this, operator, value);
    }

    /** Calls the function of a program. A failure names the field, but one of the library, which says what is wrong. */
    static <A, T> @Nullable T extract(Field<T> field, Function<? super A, ? extends @Nullable T> by, A from) {
        try {
            return by.apply(from);
        } catch (InvalidRequestException | CorruptDataException told) {
            throw told;
        } catch (RuntimeException failure) {
            InvalidRequestException named = new InvalidRequestException(
                    ErrorCode.CODEC_FAILURE,
                    "the function of a field threw; make it give null for what it does not know",
                    "field",
                    field.name,
                    "exception",
                    failure.getClass().getName());
            named.addSuppressed(failure);
            throw named;
        }
    }

    @Override
    public final String toString() {
        return name;
    }

    final List<Object> require(Collection<?> values) {
        return values.stream().<Object>map(value -> type.require(name, value)).toList();
    }
}
