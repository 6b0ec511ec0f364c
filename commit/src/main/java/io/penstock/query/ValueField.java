package io.penstock.query;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A field of the values of records. It is the function that extracts it: an index that is declared by it ({@code
 * RecordCollection.index}) answers conditions on it. See {@link Field}.
 *
 * @param <V> the class of values
 * @param <T> the class of the field
 */
public final class ValueField<V, T> extends Field<T> implements Function<V, @Nullable T> {
    private final Function<? super V, ? extends @Nullable T> by;
    private final boolean nullable;

    ValueField(
            String name,
            FieldType<T> type,
            String meaning,
            Function<? super V, ? extends @Nullable T> by,
            boolean nullable) {
        super(name, type, meaning);
        this.by = by;
        this.nullable = nullable;
    }

    /** Returns this field as one that is null in no record: a query that finds null throws. */
    public ValueField<V, T> required() {
        return new ValueField<>(name(), type(), meaning(), by, false);
    }

    @Override
    public ValueField<V, T> meaning(String value) {
        return new ValueField<>(name(), type(), value, by, nullable);
    }

    @Override
    public boolean isNullable() {
        return nullable;
    }

    /**
     * The field of a value.
     *
     * @throws io.penstock.core.InvalidRequestException when its function throws, or a required field is null
     */
    @Override
    public @Nullable T apply(V value) {
        return extract(this, by, value);
    }
}
