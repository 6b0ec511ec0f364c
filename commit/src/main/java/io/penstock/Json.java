package io.penstock;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.InvalidRequestException;
import java.io.IOException;

/** Payloads as JSON, by Jackson. Safe for use by many threads. */
public final class Json<V> implements PayloadCodec<V> {
    private static final ObjectMapper MAPPER =
            JsonMapper.builder().findAndAddModules().build();

    private final Class<V> type;
    private final ObjectReader reader;
    private final ObjectWriter writer;

    private Json(Class<V> type, ObjectMapper mapper) {
        this.type = type;
        this.reader = mapper.readerFor(type);
        this.writer = mapper.writerFor(type);
    }

    /** Values of {@code type}, by a mapper with all Jackson modules found on the class path. */
    public static <V> Json<V> of(Class<V> type) {
        return new Json<>(type, MAPPER);
    }

    /** Values of {@code type}, by your own mapper. */
    public static <V> Json<V> of(Class<V> type, ObjectMapper mapper) {
        return new Json<>(type, mapper);
    }

    @Override
    public Bytes encode(V value) {
        try {
            return Bytes.wrap(writer.writeValueAsBytes(value));
        } catch (JsonProcessingException e) {
            // The original message may quote the value.
            throw new InvalidRequestException(
                    "the value cannot be written as json; make its type fit for jackson", "type", type.getName());
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
                    type.getName(),
                    "bytes",
                    bytes.length());
        }
    }
}
