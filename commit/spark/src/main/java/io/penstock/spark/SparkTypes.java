package io.penstock.spark;

import io.penstock.core.Bytes;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.query.Field;
import io.penstock.query.FieldType;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/** The one mapping of field types to Spark's types, and of values between the two. */
final class SparkTypes {
    private static final int DECIMAL_DIGITS = 38;
    private static final int DECIMAL_SCALE = 18;
    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final int NANOS_PER_MICRO = 1_000;

    private SparkTypes() {}

    /** The columns of some fields. */
    static StructType schema(List<Field<?>> fields) {
        return new StructType(fields.stream()
                .map(field -> DataTypes.createStructField(field.name(), of(field.type()), field.isNullable()))
                .toArray(StructField[]::new));
    }

    /** The type of a field's column. */
    static DataType of(FieldType<?> type) {
        return switch (type.kind()) {
            case BOOLEAN -> DataTypes.BooleanType;
            case INT -> DataTypes.IntegerType;
            case LONG -> DataTypes.LongType;
            case DOUBLE -> DataTypes.DoubleType;
            case DECIMAL -> DataTypes.createDecimalType(DECIMAL_DIGITS, DECIMAL_SCALE);
            case STRING -> DataTypes.StringType;
            case BYTES -> DataTypes.BinaryType;
            case DATE -> DataTypes.DateType;
            case INSTANT -> DataTypes.TimestampType;
        };
    }

    /** The value of a field as Spark keeps it. */
    static @Nullable Object toSpark(FieldType.Kind kind, @Nullable Object value) {
        if (value == null) {
            return null;
        }
        return switch (kind) {
            case BOOLEAN, INT, LONG, DOUBLE -> value;
            case DECIMAL ->
                Decimal.apply(
                        FieldType.scaled((BigDecimal) value, DECIMAL_DIGITS, DECIMAL_SCALE),
                        DECIMAL_DIGITS,
                        DECIMAL_SCALE);
            case STRING -> text((String) value);
            case BYTES -> ((Bytes) value).toArray();
            case DATE -> Math.toIntExact(((LocalDate) value).toEpochDay());
            case INSTANT -> micros((Instant) value);
        };
    }

    private static UTF8String text(String value) {
        try {
            ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(value));
            return UTF8String.fromBytes(bytes.array(), bytes.arrayOffset(), bytes.remaining());
        } catch (CharacterCodingException half) {
            throw new InvalidRequestException(
                    ErrorCode.CODEC_FAILURE,
                    "text with half of a surrogate pair is none in Spark; declare a field that replaces it");
        }
    }

    /** The microseconds since 1970 of an instant, rounded down. */
    private static long micros(Instant value) {
        return Math.addExact(
                Math.multiplyExact(value.getEpochSecond(), MICROS_PER_SECOND), value.getNano() / NANOS_PER_MICRO);
    }

    /**
     * The value of a field that is what Spark keeps as this; null if the field can have no such value, such as text
     * that is no UTF-8. Of an instant it is the first of those that Spark takes for one.
     */
    static @Nullable Object toField(FieldType.Kind kind, @Nullable Object value) {
        return switch (kind) {
            case BOOLEAN -> value instanceof Boolean ? value : null;
            case INT -> value instanceof Integer ? value : null;
            case LONG -> value instanceof Long ? value : null;
            case DOUBLE -> value instanceof Double ? value : null;
            case DECIMAL -> value instanceof Decimal decimal ? decimal.toJavaBigDecimal() : null;
            case STRING -> value instanceof UTF8String text && text.isValid() ? text.toString() : null;
            case BYTES -> value instanceof byte[] bytes ? Bytes.wrap(bytes.clone()) : null;
            case DATE -> value instanceof Integer days ? LocalDate.ofEpochDay(days) : null;
            case INSTANT -> value instanceof Long micros ? Instant.EPOCH.plus(micros, ChronoUnit.MICROS) : null;
        };
    }
}
