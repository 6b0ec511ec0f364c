package io.penstock;

import io.penstock.commit.index.CompositeKey;
import io.penstock.commit.index.FieldPart;
import io.penstock.core.Bytes;
import io.penstock.core.InvalidRequestException;
import io.penstock.query.Field;
import io.penstock.query.FieldType;
import io.penstock.query.ValueField;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The codec of lists of values of some fields, ordered by the first, then the second; nulls last. A list of the first
 * values is the beginning of those that go on. Byte format: {@code docs/FORMATS.md}, "Keys".
 */
record FieldKeys<V>(List<ValueField<V, ?>> fields) implements KeyCodec<List<@Nullable Object>> {
    FieldKeys {
        fields = List.copyOf(fields);
    }

    @SafeVarargs
    static <V> FieldKeys<V> of(ValueField<V, ?> first, ValueField<V, ?> second, ValueField<V, ?>... more) {
        List<ValueField<V, ?>> all = new ArrayList<>();
        all.add(first);
        all.add(second);
        all.addAll(List.of(more));
        return new FieldKeys<>(all);
    }

    /** The search key of a record; null where the first field is null. */
    @Nullable
    List<@Nullable Object> values(V value) {
        List<@Nullable Object> values = new ArrayList<>();
        fields.forEach(field -> values.add(field.apply(value)));
        return values.getFirst() == null ? null : values;
    }

    @Override
    public String name() {
        return fields.stream()
                .map(field -> field.type().kind().name())
                .collect(Collectors.joining(",", "fields(", ")"));
    }

    @Override
    public Bytes encode(List<@Nullable Object> values) {
        if (values.size() > fields.size()) {
            throw new InvalidRequestException(
                    "a search key has more parts than its index has fields; leave some out", "fields", fields);
        }
        Bytes key = Bytes.EMPTY;
        for (int i = 0; i < values.size(); i++) {
            Object value = values.get(i);
            key = key.concat(CompositeKey.prefix(
                    value == null ? FieldPart.NULL : present(fields.get(i).type(), value)));
        }
        return key;
    }

    private static <T> Bytes present(FieldType<T> type, Object value) {
        return FieldPart.present(type.encode(type.javaType().cast(value)));
    }

    @Override
    public List<@Nullable Object> decode(Bytes bytes) {
        List<@Nullable Object> values = new ArrayList<>();
        Bytes rest = bytes;
        for (Field<?> field : fields) {
            CompositeKey.Parts parts = CompositeKey.split(rest);
            Bytes part = parts.first();
            values.add(part.equals(FieldPart.NULL) ? null : field.type().decode(part.slice(1, part.length())));
            rest = parts.second();
        }
        return values;
    }
}
