package io.penstock;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.cfg.MutableConfigOverride;
import com.fasterxml.jackson.databind.deser.std.StdDelegatingDeserializer;
import com.fasterxml.jackson.databind.exc.InvalidDefinitionException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdDelegatingSerializer;
import com.fasterxml.jackson.databind.util.StdConverter;
import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import java.io.IOException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Calendar;
import java.util.GregorianCalendar;
import java.util.Map;
import java.util.TimeZone;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Payloads as JSON, by Jackson. Fields that the class does not know are left out, and those that the payload does not
 * have are null, or zero: so programs of two versions read each other's records. {@code docs/API.md}, "Payloads that
 * change", has the rules. Safe for use by many threads.
 */
public final class Json<V> implements PayloadCodec<V> {
    /**
     * The limits when reading: strings, names and numbers may be as long as a payload, so that all that is written can
     * be read.
     */
    private static final StreamReadConstraints READS = StreamReadConstraints.builder()
            .maxStringLength(RecordCollection.PAYLOAD_BYTES_MAX)
            .maxNameLength(RecordCollection.PAYLOAD_BYTES_MAX)
            .maxNumberLength(RecordCollection.PAYLOAD_BYTES_MAX)
            .build();

    /** The mapper. It keeps zones, offsets and decimals as they were put. */
    static final ObjectMapper MAPPER = JsonMapper.builder(
                    JsonFactory.builder().streamReadConstraints(READS).build())
            .findAndAddModules()
            .addModule(calendars())
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .enable(SerializationFeature.WRITE_DATES_WITH_ZONE_ID)
            .withConfigOverride(ZonedDateTime.class, Json::asText)
            .withConfigOverride(OffsetDateTime.class, Json::asText)
            .build();

    private static final int FIELDS_MAX = 8;

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

    private static void asText(MutableConfigOverride config) {
        config.setFormat(JsonFormat.Value.forShape(JsonFormat.Shape.STRING));
    }

    /** Calendars as text with their zone; Jackson writes, and older records have, milliseconds. */
    private static SimpleModule calendars() {
        var written = new StdConverter<Calendar, String>() {
            @Override
            public String convert(Calendar value) {
                return value.toInstant().atZone(value.getTimeZone().toZoneId()).toString();
            }
        };
        var read = new StdConverter<String, Calendar>() {
            @Override
            public Calendar convert(String text) {
                boolean isMillis = text.matches("-?\\d+");
                ZonedDateTime at = isMillis
                        ? Instant.ofEpochMilli(Long.parseLong(text)).atZone(ZoneOffset.UTC)
                        : ZonedDateTime.parse(text);
                Calendar calendar = new GregorianCalendar(TimeZone.getTimeZone(at.getZone()));
                calendar.setTimeInMillis(at.toInstant().toEpochMilli());
                return calendar;
            }
        };
        return new SimpleModule("penstock calendars")
                .addSerializer(Calendar.class, new StdDelegatingSerializer(Calendar.class, written))
                .addDeserializer(Calendar.class, new StdDelegatingDeserializer<>(read));
    }

    /**
     * Encodes a value, and reads it again as a check: a value that can only be written would be a record that no client
     * can read.
     */
    @Override
    public Bytes encode(V value) {
        Bytes bytes;
        try {
            bytes = Bytes.wrap(writer.writeValueAsBytes(value));
        } catch (JsonProcessingException e) {
            throw new InvalidRequestException(
                    ErrorCode.CODEC_FAILURE,
                    "the value cannot be written as json; make its type fit for jackson",
                    harmless(e),
                    told(e));
        }
        try {
            read(bytes);
            return bytes;
        } catch (IOException e) {
            throw new InvalidRequestException(
                    ErrorCode.CODEC_FAILURE,
                    "the value can be written as json and not read again; make its type fit for jackson",
                    harmless(e),
                    told(e));
        }
    }

    @Override
    public V decode(Bytes bytes) {
        try {
            return read(bytes);
        } catch (IOException e) {
            throw new CorruptDataException(
                    ErrorCode.CODEC_FAILURE,
                    "a payload is no json of the expected type; was it written with another codec? read it by that, or"
                            + " replace or delete the record",
                    harmless(e),
                    told(e));
        }
    }

    private V read(Bytes bytes) throws IOException {
        try {
            return reader.readValue(bytes.array(), bytes.offset(), bytes.length());
        } catch (NumberFormatException unbounded) {
            throw new IOException(new ArithmeticException("a number whose exponent has no bounds")); // not the digits
        }
    }

    private Object[] told(IOException failure) {
        return new Object[] {"type", type.toCanonical(), "field", field(failure), "why", why(failure)};
    }

    /** Returns the field at which it failed, without keys of maps, which are data. */
    private static String field(IOException failure) {
        if (!(failure instanceof JsonMappingException mapping)) {
            return "";
        }
        return mapping.getPath().stream()
                .limit(FIELDS_MAX)
                .map(step -> step.getFieldName() == null || step.getFrom() instanceof Map ? "[]" : step.getFieldName())
                .collect(Collectors.joining("."));
    }

    /** The reason in words, without the value. */
    private static String why(IOException failure) {
        Throwable harmless = harmless(failure);
        if (harmless instanceof JsonProcessingException told) {
            return told.getOriginalMessage();
        }
        if (failure instanceof MismatchedInputException mismatch && mismatch.getTargetType() != null) {
            Class<?> target = mismatch.getTargetType();
            return (target.isEnum() ? "an unknown constant of " : "no value of ") + target.getName();
        }
        return harmless == null ? "no json" : harmless.getClass().getName();
    }

    /** The failure or its cause, if its message is about types and limits; other messages quote the value. */
    private static @Nullable Throwable harmless(IOException failure) {
        if (failure instanceof StreamConstraintsException || failure instanceof InvalidDefinitionException) {
            return failure;
        }
        Throwable cause = failure.getCause();
        return cause instanceof IOException inner ? harmless(inner) : cause;
    }
}
