package io.penstock;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.commit.query.KeyShape;
import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.query.Field;
import io.penstock.query.FieldType;
import io.penstock.query.Fields;
import io.penstock.query.KeyField;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The fields of records of which no program says what they are. The store knows the codecs of keys by their names, so
 * keys are read; of payloads it knows nothing, so they are one text, with what the user says that is in their JSON.
 * Stateless.
 */
public final class StoredFields {
    /** The declaration of a table: {@code books(title string, price decimal)}. */
    private static final Pattern TABLE = Pattern.compile("\\s*([A-Za-z0-9._-]+)\\s*\\((.*)\\)\\s*");

    private static final Pattern COLUMN = Pattern.compile("\\s*([A-Za-z_][A-Za-z0-9_]*)\\s+([A-Za-z]+)\\s*");

    /** Numbers that JSON has not; {@link Json} writes them as text. */
    private static final Set<String> NO_NUMBERS = Set.of("NaN", "Infinity", "-Infinity");

    private StoredFields() {}

    /**
     * The fields {@code key}, or {@code key1}, {@code key2} and so on where keys have parts, as far as the library has
     * their codecs, else bytes; those declared here; and {@code payload}, which is null where it is no text.
     *
     * @param collection of {@link Penstock#rawCollection}
     * @param declared collections with fields of their payloads in JSON, such as {@code books(title string, price
     *     decimal)}: types are those of {@link FieldType.Kind}; values are as {@link Json} writes them, dates and
     *     instants also text, and bytes are in Base64. Those of other collections are ignored
     * @throws InvalidRequestException when a declaration has another form
     */
    public static Fields of(RecordCollection<Bytes, Bytes> collection, List<String> declared) {
        List<Field<?>> fields = keys(collection.keyTypes());
        for (String table : declared) {
            Matcher parts = matched(TABLE, table, "a table is declared like 'books(title string, price decimal)'");
            if (parts.group(1).equals(collection.name())) {
                for (String column : parts.group(2).split(",", -1)) {
                    fields.add(json(matched(COLUMN, column, "a column is a name and a type, such as 'price decimal'")));
                }
            }
        }
        fields.add(Field.<Bytes, String>of("payload", FieldType.STRING, StoredFields::text));
        return Fields.of(fields.stream().map(StoredFields::stored).toArray(Field<?>[]::new));
    }

    /** A field of a program may have the same name, and reads something else. */
    private static Field<?> stored(Field<?> field) {
        return field instanceof KeyField<?> key && !key.isComputed() ? field : field.meaning("stored " + field.name());
    }

    private static Matcher matched(Pattern pattern, String text, String form) {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.matches()) {
            throw new InvalidRequestException(form, "given", text);
        }
        return matcher;
    }

    private static List<Field<?>> keys(List<String> types) {
        List<Field<?>> fields = new ArrayList<>();
        KeyShape shape = new KeyShape(types);
        for (int i = 0; i < types.size(); i++) {
            int part = i;
            String name = types.size() == 1 ? "key" : "key" + (part + 1);
            FieldType<?> type = type(types.get(part));
            if (type != null) {
                fields.add(types.size() == 1 ? Field.key(name, type) : Field.keyPart(name, type, part));
            } else if (types.get(part).equals(Keys.uuids().name())) {
                fields.add(Field.ofKey(
                        name,
                        FieldType.STRING,
                        Bytes.class,
                        key -> Keys.uuids().decode(shape.part(key, part)).toString()));
            } else {
                fields.add(Field.ofKey(name, FieldType.BYTES, Bytes.class, key -> shape.part(key, part)));
            }
        }
        return fields;
    }

    /** The type with the bytes of a key codec; null if there is none. */
    private static @Nullable FieldType<?> type(String codec) {
        return List.<FieldType<?>>of(
                        FieldType.LONG, FieldType.DECIMAL, FieldType.STRING, FieldType.BYTES, FieldType.INSTANT)
                .stream()
                .filter(type -> type.codec().equals(codec))
                .findFirst()
                .orElse(null);
    }

    /** The payload, if it is text. */
    private static @Nullable String text(Bytes payload) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(payload.array(), payload.offset(), payload.length()))
                    .toString();
        } catch (CharacterCodingException noText) {
            return null;
        }
    }

    private static Field<?> json(Matcher column) {
        String name = column.group(1);
        FieldType.Kind kind;
        try {
            kind = FieldType.Kind.valueOf(column.group(2).toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new InvalidRequestException(
                    "there is no such type of fields",
                    "type",
                    column.group(2),
                    "types",
                    List.of(FieldType.Kind.values()));
        }
        return json(name, FieldType.of(kind));
    }

    private static <T> Field<T> json(String name, FieldType<T> type) {
        Function<Bytes, @Nullable T> member = payload -> member(payload, name, type);
        return Field.of(name, type, member);
    }

    private static <T> @Nullable T member(Bytes payload, String name, FieldType<T> type) {
        JsonNode value = parsed(payload).path(name);
        boolean none = value.isMissingNode() || value.isNull();
        return none ? null : type.javaType().cast(value(name, type.kind(), value));
    }

    private static JsonNode parsed(Bytes payload) {
        try {
            return Json.MAPPER.readTree(payload.array(), payload.offset(), payload.length());
        } catch (IOException | NumberFormatException e) {
            throw new CorruptDataException(
                    ErrorCode.CODEC_FAILURE,
                    "a payload is no JSON; declare no fields of it",
                    "bytes",
                    payload.length());
        }
    }

    private static Object value(String name, FieldType.Kind kind, JsonNode value) {
        Object read;
        try {
            read = read(kind, value);
        } catch (RuntimeException | JsonProcessingException unreadable) {
            read = null;
        }
        if (read == null) {
            throw new InvalidRequestException(
                    ErrorCode.CODEC_FAILURE, "a value in JSON is not of its field's type", "field", name, "type", kind);
        }
        return read;
    }

    /** The value; null where it is of another type. */
    private static @Nullable Object read(FieldType.Kind kind, JsonNode value) throws JsonProcessingException {
        return switch (kind) {
            case BOOLEAN -> value.isBoolean() ? value.booleanValue() : null;
            case INT -> value.isIntegralNumber() && value.canConvertToInt() ? value.intValue() : null;
            case LONG -> value.isIntegralNumber() && value.canConvertToLong() ? value.longValue() : null;
            case DOUBLE -> number(value);
            case DECIMAL -> value.isNumber() ? value.decimalValue() : null;
            case STRING -> value.textValue();
            case BYTES -> value.isTextual() ? Bytes.wrap(Base64.getDecoder().decode(value.textValue())) : null;
            case DATE -> Json.MAPPER.treeToValue(value, LocalDate.class);
            case INSTANT -> Json.MAPPER.treeToValue(value, Instant.class);
        };
    }

    private static @Nullable Double number(JsonNode value) {
        if (NO_NUMBERS.contains(value.asText())) {
            return Double.valueOf(value.asText());
        }
        return value.isNumber() && Double.isFinite(value.doubleValue()) ? value.doubleValue() : null;
    }
}
