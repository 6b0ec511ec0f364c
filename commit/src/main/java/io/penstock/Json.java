package io.penstock;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.InvalidRequestException;
import java.io.IOException;

/**
 * Payloads as JSON, by Jackson. What the class does not know of a payload is left out, and what the payload does not
 * have is null, or zero: so programs of two versions read each other's records. {@code docs/API.md}, "Payloads that
 * change", has the rules. Safe for use by many threads.
 */
public final class Json<V> implements PayloadCodec<V> {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .findAndAddModules()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private final JavaType type;
    private final ObjectReader reader;
    private final ObjectWriter writer;

    private Json(JavaType type, ObjectMapper mapper) {
        this.type = type;
        this.reader = mapper.readerFor(type);
        this.writer = mapper.writerFor(type);
    }

    /** Values of {@code type}, by a mapper with all Jackson modules found on the class path. */
    public static <V> Json<V> of(Class<V> type) {
        return of(type, MAPPER);
    }

    /** Values of a generic type, such as {@code new TypeReference<List<String>>() {}}. */
    public static <V> Json<V> of(TypeReference<V> type) {
        return of(type, MAPPER);
    }

    /** Values of {@code type}, by your own mapper, which may also be one for CBOR. */
    public static <V> Json<V> of(Class<V> type, ObjectMapper mapper) {
        return new Json<>(mapper.constructType(type), mapper);
    }

    /** Values of a generic type, by your own mapper. */
    public static <V> Json<V> of(TypeReference<V> type, ObjectMapper mapper) {
        return new Json<>(mapper.constructType(type), mapper);
    }

    @Override
    public Bytes encode(V value) {
        try {
            return Bytes.wrap(writer.writeValueAsBytes(value));
        } catch (JsonProcessingException e) {
            // The original message may quote the value.
            throw new InvalidRequestException(
                    "the value cannot be written as json; make its type fit for jackson", "type", type.toCanonical());
        }
    }

    @Override
    public V decode(Bytes bytes) {
        try {
            return reader.readValue(bytes.array(), bytes.offset(), bytes.length());
        } catch (IOException e) {
            throw new CorruptDataException(
                    "a payload is no json of the expected type; was it written with another codec?",
                    "type",
                    type.toCanonical(),
                    "bytes",
                    bytes.length());
        }
    }
}
