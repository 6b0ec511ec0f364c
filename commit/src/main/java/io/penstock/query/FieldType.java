package io.penstock.query;

import io.penstock.commit.index.DecimalBytes;
import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;

/**
 * A type of fields: its Java class, its order, and its bytes. There is one order for each type, that of the bytes
 * (unsigned, lexicographic), which are those of the key codec of that type where there is one. So conditions, key
 * ranges, indexes and summaries agree. Values are equal where their bytes are: 1.5 and 1.50, 0.0 and -0.0, NaN and NaN.
 *
 * <p>Immutable.
 *
 * @param <T> the class of its values
 */
public final class FieldType<T> {
    /** False before true. */
    public static final FieldType<Boolean> BOOLEAN = new FieldType<>(Kind.BOOLEAN, Boolean.class, "");

    /** Whole numbers of 32 bits. As keys they are those of {@code Keys.longs}. */
    public static final FieldType<Integer> INT = new FieldType<>(Kind.INT, Integer.class, "long");

    /** Whole numbers of 64 bits; {@code Keys.longs}. */
    public static final FieldType<Long> LONG = new FieldType<>(Kind.LONG, Long.class, "long");

    /** Numbers in floating point. -0.0 equals 0.0; NaN equals itself and is greater than all others. */
    public static final FieldType<Double> DOUBLE = new FieldType<>(Kind.DOUBLE, Double.class, "");

    /** Decimals by their value: 1.5 equals 1.50; {@code Keys.decimals}. */
    public static final FieldType<BigDecimal> DECIMAL = new FieldType<>(Kind.DECIMAL, BigDecimal.class, "decimal");

    /**
     * Text in the order of code points, which is not that of {@link String#compareTo}; {@code Keys.string}. Half of a
     * surrogate pair counts as a code point of its own.
     */
    public static final FieldType<String> STRING = new FieldType<>(Kind.STRING, String.class, "string");

    /** Bytes, unsigned; {@code Keys.bytes}. */
    public static final FieldType<Bytes> BYTES = new FieldType<>(Kind.BYTES, Bytes.class, "bytes");

    /** Days without a time zone. */
    public static final FieldType<LocalDate> DATE = new FieldType<>(Kind.DATE, LocalDate.class, "");

    /** Points in time, to the nanosecond; {@code Keys.instants}. */
    public static final FieldType<Instant> INSTANT = new FieldType<>(Kind.INSTANT, Instant.class, "instant");

    private static final List<FieldType<?>> ALL =
            List.of(BOOLEAN, INT, LONG, DOUBLE, DECIMAL, STRING, BYTES, DATE, INSTANT);

    /** The kinds of types, for a {@code switch}. */
    public enum Kind {
        /** {@link FieldType#BOOLEAN}. */
        BOOLEAN,
        /** {@link FieldType#INT}. */
        INT,
        /** {@link FieldType#LONG}. */
        LONG,
        /** {@link FieldType#DOUBLE}. */
        DOUBLE,
        /** {@link FieldType#DECIMAL}. */
        DECIMAL,
        /** {@link FieldType#STRING}. */
        STRING,
        /** {@link FieldType#BYTES}. */
        BYTES,
        /** {@link FieldType#DATE}. */
        DATE,
        /** {@link FieldType#INSTANT}. */
        INSTANT
    }

    private final Kind kind;
    private final Class<T> javaType;
    private final String codec;

    private FieldType(Kind kind, Class<T> javaType, String codec) {
        this.kind = kind;
        this.javaType = javaType;
        this.codec = codec;
    }

    /** The type of a kind. */
    public static FieldType<?> of(Kind kind) {
        return ALL.get(kind.ordinal());
    }

    /**
     * A decimal with a fixed number of digits behind the point, as engines of queries and files keep them.
     *
     * @param digits the most in all
     * @param scale the digits behind the point
     * @throws InvalidRequestException when it has more
     */
    public static BigDecimal scaled(BigDecimal value, int digits, int scale) {
        try {
            BigDecimal scaled = value.setScale(scale, RoundingMode.UNNECESSARY);
            if (scaled.precision() <= digits) {
                return scaled;
            }
        } catch (ArithmeticException rounded) {
            // Told below.
        }
        throw new InvalidRequestException(
                ErrorCode.CODEC_FAILURE,
                "a decimal has more digits than are kept here; declare a field that rounds it",
                "digitsMax",
                digits,
                "behindPointMax",
                scale);
    }

    /** The kind. */
    public Kind kind() {
        return kind;
    }

    /** The class of its values. */
    public Class<T> javaType() {
        return javaType;
    }

    /** The name of the key codec with the same bytes; empty when there is none. */
    public String codec() {
        return codec;
    }

    /** Compares two values; neither is null. */
    public int compare(T one, T other) {
        return switch (kind) {
            case BOOLEAN -> Boolean.compare((Boolean) one, (Boolean) other);
            case INT -> Integer.compare((Integer) one, (Integer) other);
            case LONG -> Long.compare((Long) one, (Long) other);
            case DOUBLE -> Double.compare((Double) one + 0.0, (Double) other + 0.0);
            case DECIMAL -> ((BigDecimal) one).compareTo((BigDecimal) other);
            case STRING -> Text.compare((String) one, (String) other);
            case BYTES -> ((Bytes) one).compareTo((Bytes) other);
            case DATE -> ((LocalDate) one).compareTo((LocalDate) other);
            case INSTANT -> ((Instant) one).compareTo((Instant) other);
        };
    }

    /**
     * Checks that a value is of this type, and returns it.
     *
     * @throws InvalidRequestException when it is null or of another class
     */
    T require(String field, Object value) {
        if (!javaType.isInstance(value)) {
            throw new InvalidRequestException(
                    "a value is not of the type of its field; convert it, and ask for nulls with isNull",
                    "field",
                    field,
                    "type",
                    kind);
        }
        return javaType.cast(value);
    }

    /** The bytes of a value, in the order of the values. */
    public Bytes encode(T value) {
        return switch (kind) {
            case BOOLEAN -> Bytes.wrap(new byte[] {(byte) ((Boolean) value ? 1 : 0)});
            case INT -> number(((Integer) value).longValue());
            case LONG -> number((Long) value);
            case DOUBLE -> floating((Double) value);
            case DECIMAL -> DecimalBytes.encode((BigDecimal) value);
            case STRING -> Text.encode((String) value);
            case BYTES -> (Bytes) value;
            case DATE -> number(((LocalDate) value).toEpochDay());
            case INSTANT -> instant((Instant) value);
        };
    }

    /** The value of its bytes, or one that is equal to it. */
    public T decode(Bytes bytes) {
        return javaType.cast(
                switch (kind) {
                    case BOOLEAN -> fixed(bytes, 1).get() != 0;
                    case INT -> integer(number(bytes));
                    case LONG -> number(bytes);
                    case DOUBLE -> floating(number(bytes));
                    case DECIMAL -> DecimalBytes.decode(bytes);
                    case STRING -> Text.decode(bytes);
                    case BYTES -> bytes;
                    case DATE -> LocalDate.ofEpochDay(number(bytes));
                    case INSTANT -> instant(fixed(bytes, Long.BYTES + Integer.BYTES));
                });
    }

    private static Bytes number(long value) {
        return Bytes.wrap(
                ByteBuffer.allocate(Long.BYTES).putLong(value ^ Long.MIN_VALUE).array());
    }

    private static long number(Bytes bytes) {
        return fixed(bytes, Long.BYTES).getLong() ^ Long.MIN_VALUE;
    }

    private static int integer(long number) {
        if (number != (int) number) {
            throw new CorruptDataException(
                    ErrorCode.CODEC_FAILURE,
                    "a number does not fit an INT; declare its field as LONG",
                    "number",
                    number);
        }
        return (int) number;
    }

    /** The bits in the order of the numbers: those of a negative one are complemented, but for the sign. */
    private static Bytes floating(double value) {
        long bits = Double.doubleToLongBits(value + 0.0); // -0.0 becomes 0.0, and all NaNs one
        return number(bits ^ (bits >> 63 & Long.MAX_VALUE));
    }

    private static double floating(long ordered) {
        return Double.longBitsToDouble(ordered ^ (ordered >> 63 & Long.MAX_VALUE));
    }

    private static Bytes instant(Instant value) {
        return Bytes.wrap(ByteBuffer.allocate(Long.BYTES + Integer.BYTES)
                .putLong(value.getEpochSecond() ^ Long.MIN_VALUE)
                .putInt(value.getNano())
                .array());
    }

    private static Instant instant(ByteBuffer bytes) {
        long seconds = bytes.getLong() ^ Long.MIN_VALUE;
        return Instant.ofEpochSecond(seconds, bytes.getInt());
    }

    private static ByteBuffer fixed(Bytes bytes, int length) {
        if (bytes.length() != length) {
            throw new CorruptDataException(
                    ErrorCode.CODEC_FAILURE,
                    "a value has another length than its type; was it written with another type?",
                    "expectedBytes",
                    length,
                    "foundBytes",
                    bytes.length());
        }
        return ByteBuffer.wrap(bytes.array(), bytes.offset(), length);
    }

    @Override
    public String toString() {
        return kind.toString();
    }
}
