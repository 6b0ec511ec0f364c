package io.penstock.query;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A field of the keys of records: the whole key, a part of it, or computed from it. It is never null unless it is
 * computed. See {@link Field}.
 *
 * @param <T> the class of the field
 */
public final class KeyField<T> extends Field<T> {
    static final int WHOLE = -1;
    static final int COMPUTED = -2;

    private final int part;
    private final @Nullable Function<Object, ? extends @Nullable T> by;

    KeyField(
            String name,
            FieldType<T> type,
            String meaning,
            int part,
            @Nullable Function<Object, ? extends @Nullable T> by) {
        super(name, type, meaning);
        this.part = part;
        this.by = by;
    }

    /** A field of a part of the key, or of the whole key: no other field has such a meaning. */
    static <T> KeyField<T> part(String name, FieldType<T> type, int part) {
        return new KeyField<>(name, type, "." + part, part, null);
    }

    @Override
    public KeyField<T> meaning(String value) {
        return new KeyField<>(name(), type(), value, part, by);
    }

    @Override
    public boolean isNullable() {
        return isComputed();
    }

    /** Whether it is computed from the key by a function. */
    public boolean isComputed() {
        return part == COMPUTED;
    }

    /** Whether it is the whole key. */
    public boolean isWhole() {
        return part == WHOLE;
    }

    /** The number of the part, from 0; negative when it is not a part. */
    public int part() {
        return part;
    }

    /** The field of a key, if it is computed. */
    public @Nullable T of(Object key) {
        Function<Object, ? extends @Nullable T> computes = by;
        if (computes == null) {
            throw new IllegalStateException("a field is read from the bytes of its key");
        }
        return extract(this, computes, key);
    }
}
