package io.penstock.commit.query;

import io.penstock.core.Bytes;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.page.LeafRun;
import io.penstock.query.Field;
import io.penstock.query.KeyField;
import io.penstock.query.Row;
import io.penstock.query.ValueField;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The record that a query looks at, and its fields; its key and value are decoded once, if at all. For one thread. */
public final class Subject<K, V> {
    private final KeyShape shape;
    private final Function<Bytes, K> keys;
    private final Function<Bytes, V> values;
    private @Nullable LeafRun run;
    private Bytes keyBytes = Bytes.EMPTY;
    private Bytes payload = Bytes.EMPTY;
    private @Nullable K key;
    private @Nullable V value;
    private @Nullable Row part;

    /**
     * @param keys decodes keys
     * @param values decodes payloads
     */
    public Subject(KeyShape shape, Function<Bytes, K> keys, Function<Bytes, V> values) {
        this.shape = shape;
        this.keys = keys;
        this.values = values;
    }

    /** Goes to a record. */
    public void at(Bytes nextKey, Bytes nextPayload) {
        run = null;
        keyBytes = nextKey;
        payload = nextPayload;
        key = null;
        value = null;
        part = null;
    }

    /** Goes to the record that a run is at, and reads its key if it is asked for. */
    public void at(LeafRun record, Bytes nextPayload) {
        at(Bytes.EMPTY, nextPayload);
        run = record;
    }

    private Bytes keyBytes() {
        LeafRun at = run;
        if (at != null) {
            keyBytes = at.key();
            run = null;
        }
        return keyBytes;
    }

    /** Goes to a record that was decoded. */
    public void at(Bytes nextKey, K decodedKey, V decodedValue) {
        run = null;
        keyBytes = nextKey;
        key = decodedKey;
        value = decodedValue;
        part = null;
    }

    /** Goes to a record of which some fields are known. */
    public void at(Bytes nextKey, Row known) {
        at(nextKey, Bytes.EMPTY);
        part = known;
    }

    /** The key. */
    public K key() {
        K known = key;
        if (known == null) {
            known = keys.apply(keyBytes());
            key = known;
        }
        return known;
    }

    /** The value. */
    public V value() {
        V known = value;
        if (known == null) {
            known = values.apply(payload);
            value = known;
        }
        return known;
    }

    /** The value of a field, or null. */
    public @Nullable Object field(Field<?> field) {
        return switch (field) {
            case KeyField<?> of -> of.isComputed() ? of.of(key()) : shape.value(of, keyBytes());
            case ValueField<?, ?> of -> valueOf(of);
        };
    }

    @SuppressWarnings("unchecked") // a collection declares fields of its own values; others throw, which is named
    private @Nullable Object valueOf(ValueField<?, ?> field) {
        Object found = part == null ? ((ValueField<V, ?>) field).apply(value()) : part.get(field);
        if (found == null && !field.isNullable()) {
            throw new InvalidRequestException(
                    "a field that is declared as required is null; declare it without", "field", field.name());
        }
        return found;
    }

    /** The row of some fields. */
    public Row row(List<Field<?>> fields) {
        @Nullable Object[] row = new Object[fields.size()];
        for (int i = 0; i < row.length; i++) {
            row[i] = field(fields.get(i));
        }
        return new Row(fields, row);
    }
}
