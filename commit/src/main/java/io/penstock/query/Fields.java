package io.penstock.query;

import io.penstock.commit.mapping.Property;
import io.penstock.core.Bytes;
import io.penstock.core.InvalidRequestException;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The fields of a collection, in order; their names are distinct. Immutable, safe for use by many threads. */
public final class Fields {
    /** No fields: those of a collection that declares none. */
    public static final Fields NONE = new Fields(new LinkedHashMap<>());

    private final Map<String, Field<?>> byName;

    private Fields(Map<String, Field<?>> byName) {
        this.byName = byName;
    }

    /**
     * Some fields.
     *
     * @throws InvalidRequestException when two have one name
     */
    public static Fields of(Field<?>... fields) {
        return NONE.and(fields);
    }

    /**
     * The fields of a class of values, named like its properties: the components of a record, or the fields of another
     * class that are neither static nor transient. Those of boolean, int, short, byte, long, double, float, {@link
     * BigDecimal}, String, enums (by name), {@link Bytes}, byte[], {@link LocalDate}, {@link Instant} and UUID (as
     * text), boxed or not. Properties of other types are left out: declare what is wanted of them by {@link Field#of}.
     *
     * @throws InvalidRequestException when the class is not accessible
     */
    public static Fields ofClass(Class<?> type) {
        return of(Property.of(type).stream()
                .flatMap(property -> derived(property).stream())
                .toArray(Field<?>[]::new));
    }

    /** These fields and others. */
    public Fields and(Field<?>... more) {
        Map<String, Field<?>> all = new LinkedHashMap<>(byName);
        for (Field<?> field : more) {
            if (all.putIfAbsent(field.name(), field) != null) {
                throw new InvalidRequestException(
                        "two fields of a collection have one name; rename one", "field", field.name());
            }
        }
        return new Fields(all);
    }

    /** All, in order. */
    public List<Field<?>> all() {
        return List.copyOf(byName.values());
    }

    /** The field of a name. */
    public Optional<Field<?>> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /**
     * The field of a name.
     *
     * @throws InvalidRequestException when there is none
     */
    public Field<?> get(String name) {
        return find(name).orElseThrow(() -> unknown(name));
    }

    /**
     * The value field of a name and a type, such as one to declare an index by.
     *
     * @param values the class of the collection's values
     * @throws InvalidRequestException when there is none of this type
     */
    @SuppressWarnings("unchecked") // a field of this type has values of its class
    public <V, T> ValueField<V, T> get(String name, Class<V> values, FieldType<T> type) {
        if (get(name) instanceof ValueField<?, ?> field && field.type().equals(type)) {
            return (ValueField<V, T>) field;
        }
        throw new InvalidRequestException(
                "a field has another type, or is one of keys", "field", name, "type", type, "of", values.getName());
    }

    /**
     * Checks that a field is one of these.
     *
     * @throws InvalidRequestException when it is not
     */
    public void require(Field<?> field) {
        if (!field.equals(byName.get(field.name()))) {
            throw unknown(field.name());
        }
    }

    private InvalidRequestException unknown(String name) {
        return new InvalidRequestException(
                "the collection does not declare such a field; declare it before the first use",
                "field",
                name,
                "declared",
                byName.keySet());
    }

    private static Optional<Field<?>> derived(Property property) {
        Class<?> type = property.type();
        String name = property.name();
        Optional<Field<?>> field = type.isEnum()
                ? Optional.of(mapped(name, FieldType.STRING, property::get, value -> ((Enum<?>) value).name()))
                : derived(type, name, property::get);
        // An int that is missing in a payload is 0, and an Integer null.
        return field.<Field<?>>map(made -> made.meaning(name + ":" + type.getName()))
                .map(made -> type.isPrimitive() ? ((ValueField<?, ?>) made).required() : made);
    }

    private static Optional<Field<?>> derived(Class<?> type, String name, Function<Object, @Nullable Object> get) {
        return Optional.ofNullable(
                switch (type.getName()) {
                    case "boolean", "java.lang.Boolean" -> mapped(name, FieldType.BOOLEAN, get, Boolean.class::cast);
                    case "int", "java.lang.Integer", "short", "java.lang.Short", "byte", "java.lang.Byte" ->
                        mapped(name, FieldType.INT, get, value -> ((Number) value).intValue());
                    case "long", "java.lang.Long" -> mapped(name, FieldType.LONG, get, Long.class::cast);
                    case "double", "java.lang.Double", "float", "java.lang.Float" ->
                        mapped(name, FieldType.DOUBLE, get, value -> ((Number) value).doubleValue());
                    case "java.math.BigDecimal" -> mapped(name, FieldType.DECIMAL, get, BigDecimal.class::cast);
                    case "java.lang.String" -> mapped(name, FieldType.STRING, get, String.class::cast);
                    case "java.util.UUID" -> mapped(name, FieldType.STRING, get, Object::toString);
                    case "io.penstock.core.Bytes" -> mapped(name, FieldType.BYTES, get, Bytes.class::cast);
                    case "[B" -> mapped(name, FieldType.BYTES, get, value -> Bytes.wrap(((byte[]) value).clone()));
                    case "java.time.LocalDate" -> mapped(name, FieldType.DATE, get, LocalDate.class::cast);
                    case "java.time.Instant" -> mapped(name, FieldType.INSTANT, get, Instant.class::cast);
                    default -> null;
                });
    }

    private static <T> ValueField<Object, T> mapped(
            String name, FieldType<T> type, Function<Object, @Nullable Object> get, Function<Object, T> map) {
        Function<Object, @Nullable T> by = value -> {
            Object found = get.apply(value);
            return found == null ? null : map.apply(found);
        };
        return Field.of(name, type, by);
    }
}
