package io.penstock.cli.transfer;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The JSON that commands print. */
public final class JsonText {
    private JsonText() {}

    /**
     * A value as JSON text, on one line.
     *
     * @param value records, maps, lists, strings and numbers, nested as one likes. A duration is in seconds, and its
     *     name says so; a moment is text
     */
    public static String of(Object value) {
        try {
            return JsonMapper.builder().build().writeValueAsString(plain(value));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("maps of strings and numbers are always json", e);
        }
    }

    private static @Nullable Object plain(@Nullable Object value) {
        return switch (value) {
            case null -> null;
            case Optional<?> maybe -> plain(maybe.orElse(null));
            case Record row -> members(row);
            case Map<?, ?> map -> {
                Map<String, @Nullable Object> members = new LinkedHashMap<>();
                map.forEach((name, member) -> members.put(String.valueOf(plain(name)), plain(member)));
                yield members;
            }
            case Collection<?> all -> all.stream().map(JsonText::plain).toList();
            case Enum<?> choice -> choice.name().toLowerCase(Locale.ROOT).replace('_', ' ');
            case Duration time -> time.toSeconds();
            case Number number -> number;
            case Boolean truth -> truth;
            default -> value.toString();
        };
    }

    private static Map<String, @Nullable Object> members(Record row) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        for (RecordComponent component : row.getClass().getRecordComponents()) {
            boolean time = component.getGenericType().getTypeName().contains(Duration.class.getName());
            members.put(component.getName() + (time ? "Seconds" : ""), plain(value(row, component)));
        }
        return members;
    }

    private static Object value(Record row, RecordComponent component) {
        try {
            Method accessor = component.getAccessor();
            accessor.setAccessible(true); // the command's own records are not public
            return accessor.invoke(row);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("a record's parts can be read", e);
        }
    }
}
