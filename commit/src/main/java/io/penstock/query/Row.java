package io.penstock.query;

import io.penstock.core.InvalidRequestException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The fields of a record that a query selects, with their values. Immutable. */
public final class Row {
    private final List<Field<?>> fields;
    private final @Nullable Object[] values;

    /**
     * Makes a row.
     *
     * @param fields that were selected
     * @param values in the order of the fields, each of its field's class or null; not copied
     */
    public Row(List<Field<?>> fields, @Nullable Object[] values) {
        this.fields = fields;
        this.values = values;
    }

    /**
     * The value of a field, or null.
     *
     * @throws InvalidRequestException when the field was not selected
     */
    public <T> @Nullable T get(Field<T> field) {
        int at = fields.indexOf(field);
        if (at < 0) {
            throw new InvalidRequestException("a field was not selected; select it", "field", field.name());
        }
        return field.type().javaType().cast(values[at]);
    }

    /** The value at a place, from 0, or null. */
    public @Nullable Object at(int place) {
        return values[place];
    }

    /** The fields, in order. */
    public List<Field<?>> fields() {
        return fields;
    }

    /** The values, in the order of the fields; some may be null. */
    public List<@Nullable Object> values() {
        return Collections.<@Nullable Object>unmodifiableList(Arrays.<@Nullable Object>asList(values));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Row row && fields.equals(row.fields) && Arrays.equals(values, row.values);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(values);
    }

    @Override
    public String toString() {
        return Arrays.toString(values);
    }
}
