package io.penstock;

import io.penstock.annotation.Expires;
import io.penstock.annotation.Included;
import io.penstock.annotation.Indexed;
import io.penstock.annotation.Key;
import io.penstock.annotation.Stored;
import io.penstock.annotation.Unique;
import io.penstock.annotation.Version;
import io.penstock.commit.mapping.Property;
import io.penstock.core.Bytes;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.query.Field;
import io.penstock.query.Fields;
import io.penstock.query.ValueField;
import java.lang.annotation.Annotation;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The declaration of a collection that the annotations of a class make. For one thread.
 *
 * @param <K> the class of keys, boxed
 */
final class Mapping<K, V> {
    private final Class<V> type;
    private final List<Property> properties;
    private final Property key;
    private final Fields derived;

    private Mapping(Class<V> type) {
        this.type = type;
        this.properties = Property.of(type);
        this.key = only(Key.class)
                .orElseThrow(
                        () -> refused("a class of values needs one @Key; annotate the property that is its key", ""));
        this.derived = Fields.ofClass(type);
    }

    /** @throws InvalidRequestException when the class has no key, or no access to it */
    static <K, V> Mapping<K, V> of(Class<V> type) {
        return new Mapping<>(type);
    }

    /** The name of the collection. */
    String name() {
        Stored stored = type.getAnnotation(Stored.class);
        return stored == null ? type.getSimpleName() : stored.value();
    }

    /** The codec of keys. */
    KeyCodec<K> keys() {
        return codec(key, key.type());
    }

    /** Declares all that the annotations say. */
    RecordCollection<K, V> declare(RecordCollection<K, V> collection, PayloadCodec<V> payloads) {
        Stored stored = type.getAnnotation(Stored.class);
        if (stored != null && !stored.domain().isEmpty()) {
            var unused = collection.inDomain(stored.domain());
        }
        var keyed = collection.keyedBy(this::keyOf).declare(fields());
        only(Version.class).ifPresent(version -> declareVersion(keyed, version, payloads));
        only(Expires.class).ifPresent(expires -> declareExpiry(keyed, expires));
        declareIndexes(keyed);
        return keyed;
    }

    @SuppressWarnings("unchecked") // the codec of keys is that of the property's class
    private K keyOf(V value) {
        Object found = key.get(value);
        if (found == null) {
            throw refused("the key of a value is null; give it one", key.name());
        }
        return (K) found;
    }

    /** The fields of the value, that of the key as a field of keys, and the parts of a key that is a record. */
    private Fields fields() {
        List<Field<?>> fields = new ArrayList<>();
        for (Field<?> field : derived.all()) {
            boolean whole = field.name().equals(key.name()) && isOfKeys(field, key);
            fields.add(whole ? Field.key(field.name(), field.type()) : field);
        }
        List<Property> parts = key.type().isRecord() ? Property.of(key.type()) : List.of();
        boolean nested = parts.stream().anyMatch(part -> part.type().isRecord());
        if (!parts.isEmpty() && !nested) {
            Fields typed = Fields.ofClass(key.type());
            for (int i = 0; i < parts.size(); i++) {
                Property part = parts.get(i);
                int number = i;
                typed.find(part.name())
                        .filter(field -> isOfKeys(field, part))
                        .filter(field -> derived.find(part.name()).isEmpty())
                        .ifPresent(field -> fields.add(Field.keyPart(part.name(), field.type(), number)));
            }
        }
        return Fields.of(fields.toArray(Field<?>[]::new));
    }

    /** Whether keys of a property have the bytes that a field's type has as keys. */
    private static boolean isOfKeys(Field<?> field, Property property) {
        return Keys.ofClass(property.type())
                .map(KeyCodec::name)
                .filter(field.type().codec()::equals)
                .isPresent();
    }

    private static Class<?> boxed(Class<?> type) {
        return type == int.class ? Integer.class : type == long.class ? Long.class : type;
    }

    private void declareVersion(RecordCollection<K, V> collection, Property version, PayloadCodec<V> payloads) {
        boolean isLong = boxed(version.type()) == Long.class;
        if (!isLong && boxed(version.type()) != Integer.class) {
            throw refused("a @Version is a long or int; change its type", version.name());
        }
        BiFunction<V, Object, V> with = version.with(type, value -> payloads.decode(payloads.encode(value)));
        var unused = collection.versioned(
                value -> version.get(value) instanceof Number number ? number.longValue() : 0,
                (value, next) -> with.apply(value, isLong ? (Object) next : (Object) Math.toIntExact(next)));
    }

    private void declareExpiry(RecordCollection<K, V> collection, Property expires) {
        if (expires.type() != Instant.class) {
            throw refused("an @Expires is an Instant; change its type", expires.name());
        }
        var unused = collection.expiresAt(value -> (Instant) expires.get(value));
    }

    private void declareIndexes(RecordCollection<K, V> collection) {
        Map<String, Index<?, K, V>> declared = new LinkedHashMap<>();
        Map<String, List<ValueField<V, ?>>> carried = new LinkedHashMap<>();
        for (Property property : properties) {
            List<Index<?, K, V>> ofThis = new ArrayList<>();
            property.annotation(Indexed.class).ifPresent(indexed -> ofThis.add(indexed(collection, property, indexed)));
            property.annotation(Unique.class)
                    .ifPresent(unique -> ofThis.add(
                            index(collection, property, unique.value()).unique()));
            for (Index<?, K, V> index : ofThis) {
                declared.put(index.name(), index);
                // A query by the index asks for them, too.
                carried.put(index.name(), new ArrayList<>(own(property, index)));
            }
        }
        Set<String> included = new HashSet<>();
        for (Property property : properties) {
            for (String index :
                    property.annotation(Included.class).map(Included::value).orElse(new String[0])) {
                List<ValueField<V, ?>> found = carried.get(index);
                if (found == null) {
                    throw refused("an @Included names an index that the class does not have; correct it", index);
                }
                found.add(carried(property));
                included.add(index);
            }
        }
        declared.forEach((name, index) -> {
            if (included.contains(name)) {
                include(index, carried.getOrDefault(name, List.of()));
            }
        });
    }

    /** The fields of an index, as entries can carry them. */
    @SuppressWarnings("unchecked") // they are of values
    private List<ValueField<V, ?>> own(Property property, Index<?, K, V> index) {
        return index.fields().isEmpty()
                ? valueField(property).stream()
                        .<ValueField<V, ?>>map(field -> field)
                        .toList()
                : index.fields().stream()
                        .<ValueField<V, ?>>map(field -> (ValueField<V, ?>) field)
                        .toList();
    }

    private Index<?, K, V> indexed(RecordCollection<K, V> collection, Property property, Indexed indexed) {
        if (indexed.with().length == 0) {
            return index(collection, property, indexed.value());
        }
        List<String> names = Stream.concat(Stream.of(property.name()), Stream.of(indexed.with()))
                .toList();
        FieldKeys<V> keysOf = new FieldKeys<>(names.stream().map(this::ordered).toList());
        String chosen = indexed.value().isEmpty() ? String.join("-", names) : indexed.value();
        return collection.index(chosen, keysOf, keysOf::values);
    }

    @SuppressWarnings("unchecked") // the fields that are derived of a class of values extract from these
    private ValueField<V, ?> ordered(String name) {
        return derived.find(name)
                .map(field -> (ValueField<V, ?>) field)
                .orElseThrow(() -> refused(
                        "an index of several properties names one that the class does not have, or of a type that"
                                + " queries cannot ask for; correct it",
                        name));
    }

    private Index<?, K, V> index(RecordCollection<K, V> collection, Property property, String name) {
        String chosen = name.isEmpty() ? property.name() : name;
        boolean isUuid = property.type() == UUID.class;
        Optional<ValueField<V, Object>> field =
                valueField(property).filter(found -> isUuid || property.type().isEnum() || isOfKeys(found, property));
        if (field.isPresent()) {
            KeyCodec<Object> codec = isUuid
                    ? new UuidTexts()
                    : codec(property, field.get().type().javaType());
            return collection.index(chosen, codec, field.get());
        }
        Function<V, @Nullable Object> by = property::get;
        return collection.index(chosen, this.<Object>codec(property, property.type()), by);
    }

    /** UUIDs as text, which is what the fields are that queries ask for. */
    private record UuidTexts() implements KeyCodec<Object> {
        @Override
        public String name() {
            return Keys.string().name();
        }

        @Override
        public Bytes encode(Object key) {
            return Keys.string().encode(key.toString());
        }

        @Override
        public Object decode(Bytes bytes) {
            return UUID.fromString(Keys.string().decode(bytes));
        }
    }

    @SuppressWarnings("unchecked") // the fields that are derived of a class of values extract from these
    private Optional<ValueField<V, Object>> valueField(Property property) {
        return derived.find(property.name()).map(field -> (ValueField<V, Object>) field);
    }

    private ValueField<V, ?> carried(Property property) {
        return valueField(property)
                .orElseThrow(
                        () -> refused("entries of an index cannot carry a property of this type", property.name()));
    }

    /** Includes fields under a name that changes with them. */
    private static <I, K, V> void include(Index<I, K, V> index, List<ValueField<V, ?>> fields) {
        CRC32C form = new CRC32C();
        for (ValueField<V, ?> field : fields) {
            form.update((field.name() + ":" + field.type() + ";").getBytes(StandardCharsets.UTF_8));
        }
        @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic class
        ValueField<V, ?>[] carried = fields.toArray(new ValueField[0]);
        var unused = index.including("fields-%08x".formatted(form.getValue()), carried);
    }

    @SuppressWarnings("unchecked") // the codec of a class takes its values
    private <T> KeyCodec<T> codec(Property property, Class<?> of) {
        return (KeyCodec<T>) Keys.ofClass(of)
                .orElseThrow(() -> refused(
                        "a key or indexed property has a type without an order in bytes; use String, long, int,"
                                + " BigDecimal, Instant, UUID, Bytes, a record of these, or declare the index in code",
                        property.name()));
    }

    /** The only property with an annotation. */
    private Optional<Property> only(Class<? extends Annotation> kind) {
        List<Property> found = properties.stream()
                .filter(property -> property.annotation(kind).isPresent())
                .toList();
        if (found.size() > 1) {
            throw refused(
                    "a class of values has one @" + kind.getSimpleName() + " at most",
                    found.get(1).name());
        }
        return found.stream().findFirst();
    }

    private InvalidRequestException refused(String why, String property) {
        return new InvalidRequestException(
                ErrorCode.INVALID_ARGUMENT, why, "class", type.getName(), "property", property);
    }
}
