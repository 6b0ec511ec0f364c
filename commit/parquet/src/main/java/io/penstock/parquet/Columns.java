package io.penstock.parquet;

import io.penstock.core.Bytes;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.query.Field;
import io.penstock.query.FieldType;
import io.penstock.query.Row;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Types;
import org.jspecify.annotations.Nullable;

/** The one mapping of fields to Parquet's columns, and of their values. For one file. */
final class Columns extends WriteSupport<Row> {
    private static final int DECIMAL_DIGITS = 38;
    private static final int DECIMAL_SCALE = 18;

    /** The bytes that 38 digits take. */
    private static final int DECIMAL_BYTES = 16;

    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final int NANOS_PER_MICRO = 1_000;

    private final List<Field<?>> fields;
    private @Nullable RecordConsumer out;

    Columns(List<Field<?>> fields) {
        this.fields = fields;
    }

    @Override
    public String getName() {
        return "penstock";
    }

    @Override
    public WriteContext init(ParquetConfiguration unused) {
        return context();
    }

    @Override
    public WriteContext init(Configuration unused) {
        return context();
    }

    private WriteContext context() {
        return new WriteContext(
                new MessageType("record", fields.stream().map(Columns::column).toList()), Map.of());
    }

    private static Type column(Field<?> field) {
        FieldType.Kind kind = field.type().kind();
        var type = Types.primitive(
                switch (kind) {
                    case BOOLEAN -> PrimitiveTypeName.BOOLEAN;
                    case INT, DATE -> PrimitiveTypeName.INT32;
                    case LONG, INSTANT -> PrimitiveTypeName.INT64;
                    case DOUBLE -> PrimitiveTypeName.DOUBLE;
                    case DECIMAL -> PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY;
                    case STRING, BYTES -> PrimitiveTypeName.BINARY;
                },
                field.isNullable() ? Type.Repetition.OPTIONAL : Type.Repetition.REQUIRED);
        return switch (kind) {
            case BOOLEAN, INT, LONG, DOUBLE, BYTES -> type.named(field.name());
            case STRING -> type.as(LogicalTypeAnnotation.stringType()).named(field.name());
            case DATE -> type.as(LogicalTypeAnnotation.dateType()).named(field.name());
            case INSTANT ->
                type.as(LogicalTypeAnnotation.timestampType(true, TimeUnit.MICROS))
                        .named(field.name());
            case DECIMAL ->
                type.length(DECIMAL_BYTES)
                        .as(LogicalTypeAnnotation.decimalType(DECIMAL_SCALE, DECIMAL_DIGITS))
                        .named(field.name());
        };
    }

    @Override
    public void prepareForWrite(RecordConsumer consumer) {
        out = consumer;
    }

    @Override
    public void write(Row row) {
        RecordConsumer to = Objects.requireNonNull(out);
        to.startMessage();
        for (int at = 0; at < fields.size(); at++) {
            Object value = row.at(at);
            if (value != null) {
                Field<?> field = fields.get(at);
                to.startField(field.name(), at);
                write(to, field.type().kind(), value);
                to.endField(field.name(), at);
            }
        }
        to.endMessage();
    }

    private static void write(RecordConsumer to, FieldType.Kind kind, Object value) {
        switch (kind) {
            case BOOLEAN -> to.addBoolean((Boolean) value);
            case INT -> to.addInteger((Integer) value);
            case LONG -> to.addLong((Long) value);
            case DOUBLE -> to.addDouble((Double) value);
            case DECIMAL -> to.addBinary(decimal((BigDecimal) value));
            case STRING -> to.addBinary(text((String) value));
            case BYTES -> to.addBinary(Binary.fromConstantByteArray(((Bytes) value).toArray()));
            case DATE -> to.addInteger((int) inRange(() -> Math.toIntExact(((LocalDate) value).toEpochDay())));
            case INSTANT -> to.addLong(micros((Instant) value));
        }
    }

    /** The unscaled value in two's complement, big-endian. */
    private static Binary decimal(BigDecimal value) {
        byte[] unscaled = FieldType.scaled(value, DECIMAL_DIGITS, DECIMAL_SCALE)
                .unscaledValue()
                .toByteArray();
        byte[] fixed = new byte[DECIMAL_BYTES];
        int free = DECIMAL_BYTES - unscaled.length;
        Arrays.fill(fixed, 0, free, (byte) (value.signum() < 0 ? -1 : 0));
        System.arraycopy(unscaled, 0, fixed, free, unscaled.length);
        return Binary.fromConstantByteArray(fixed);
    }

    private static Binary text(String value) {
        try {
            ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(value));
            return Binary.fromConstantByteBuffer(bytes);
        } catch (CharacterCodingException half) {
            throw new InvalidRequestException(
                    ErrorCode.CODEC_FAILURE,
                    "text with half of a surrogate pair has no UTF-8; declare a field that replaces it");
        }
    }

    /** The microseconds since 1970 of an instant, rounded down. */
    private static long micros(Instant value) {
        return inRange(() -> Math.addExact(
                Math.multiplyExact(value.getEpochSecond(), MICROS_PER_SECOND), value.getNano() / NANOS_PER_MICRO));
    }

    private static long inRange(LongSupplier number) {
        try {
            return number.getAsLong();
        } catch (ArithmeticException beyond) {
            throw new InvalidRequestException(
                    ErrorCode.CODEC_FAILURE,
                    "a date or time is too far away for a column; declare a field that cuts it");
        }
    }
}
