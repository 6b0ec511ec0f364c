package io.penstock.bench.program;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.penstock.Layout;

/**
 * The JSON between the driver and its client processes, a value on each line. Both are of one build, so it has no
 * version.
 */
public final class Wire {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .findAndAddModules()
            .addMixIn(Layout.class, LayoutKinds.class)
            .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
            // Durations to the nanosecond.
            .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build();

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Layout.PerLeaf.class, name = "per-leaf"),
        @JsonSubTypes.Type(value = Layout.Partitioned.class, name = "partitioned")
    })
    private interface LayoutKinds {}

    private Wire() {}

    /** The line for a value: a record, or a list of such. */
    public static String write(Object value) {
        try {
            return MAPPER.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("plain records cannot be written as json", e);
        }
    }

    /** The value that a line stands for. */
    public static <T> T read(String line, Class<T> type) {
        try {
            return MAPPER.readValue(line, type);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(
                    "a line between the driver and a client process is no " + type.getSimpleName() + ": "
                            + line.substring(0, Math.min(line.length(), 200)),
                    e);
        }
    }
}
