package io.penstock.sql;

import io.penstock.core.Bytes;
import io.penstock.query.Field;
import io.penstock.query.FieldType;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/**
 * The one mapping of field types to SQL types, and of values between the two. SQL compares by the values that it gets
 * from here, so values that are equal have one form: no -0.0, and all decimals have one scale.
 */
final class SqlTypes {
    /** The digits of a decimal behind its point. */
    static final int DECIMAL_SCALE = 20;

    /** The digits of a decimal. */
    static final int DECIMAL_DIGITS = 60;

    private static final int MILLIS_PER_SECOND = 1000;
    private static final int NANOS_PER_MILLI = 1_000_000;

    private SqlTypes() {}

    /** The SQL type of a field. */
    static RelDataType of(Field<?> field, RelDataTypeFactory types) {
        RelDataType type = switch (field.type().kind()) {
            case BOOLEAN -> types.createSqlType(SqlTypeName.BOOLEAN);
            case INT -> types.createSqlType(SqlTypeName.INTEGER);
            case LONG -> types.createSqlType(SqlTypeName.BIGINT);
            case DOUBLE -> types.createSqlType(SqlTypeName.DOUBLE);
            case DECIMAL -> types.createSqlType(SqlTypeName.DECIMAL, DECIMAL_DIGITS, DECIMAL_SCALE);
            case STRING -> types.createSqlType(SqlTypeName.VARCHAR);
            case BYTES -> types.createSqlType(SqlTypeName.VARBINARY);
            case DATE -> types.createSqlType(SqlTypeName.DATE);
            case INSTANT -> types.createSqlType(SqlTypeName.TIMESTAMP, 3);
        };
        return types.createTypeWithNullability(type, field.isNullable());
    }

    /** The value of a field as Calcite keeps it. */
    static @Nullable Object toSql(FieldType.Kind kind, @Nullable Object value) {
        if (value == null) {
            return null;
        }
        return switch (kind) {
            case BOOLEAN, INT, LONG, STRING -> value;
            case DOUBLE -> (Double) value + 0.0;
            case DECIMAL -> FieldType.scaled((BigDecimal) value, DECIMAL_DIGITS, DECIMAL_SCALE);
            case BYTES -> new ByteString(((Bytes) value).toArray());
            case DATE -> Math.toIntExact(((LocalDate) value).toEpochDay());
            case INSTANT -> millis((Instant) value);
        };
    }

    /** The milliseconds since 1970 of an instant, rounded down. */
    private static long millis(Instant value) {
        return Math.addExact(
                Math.multiplyExact(value.getEpochSecond(), (long) MILLIS_PER_SECOND),
                value.getNano() / NANOS_PER_MILLI);
    }

    /** The value of a field that is what Calcite keeps as this; null if the field can have no such value. */
    static @Nullable Object toField(FieldType.Kind kind, Object value) {
        return switch (kind) {
            case BOOLEAN -> value instanceof Boolean ? value : null;
            case INT -> value instanceof Number number ? whole(number, Integer.MIN_VALUE, Integer.MAX_VALUE) : null;
            case LONG -> value instanceof Number number ? whole(number, Long.MIN_VALUE, Long.MAX_VALUE) : null;
            case DOUBLE -> value instanceof Number number ? (Object) number.doubleValue() : null;
            case DECIMAL -> value instanceof Number number ? decimal(number) : null;
            case STRING -> value instanceof String ? value : null;
            case BYTES -> value instanceof ByteString bytes ? Bytes.wrap(bytes.getBytes()) : null;
            case DATE -> value instanceof Integer days ? LocalDate.ofEpochDay(days) : null;
            case INSTANT -> value instanceof Long millis ? Instant.ofEpochMilli(millis) : null;
        };
    }

    /** The decimal of a number; null if it is none, such as infinity. */
    static @Nullable BigDecimal decimal(Number number) {
        if (number instanceof BigDecimal decimal) {
            return decimal;
        }
        if (number instanceof Double || number instanceof Float) {
            return Double.isFinite(number.doubleValue()) ? BigDecimal.valueOf(number.doubleValue()) : null;
        }
        return new BigDecimal(number.toString());
    }

    private static @Nullable Object whole(Number number, long min, long max) {
        BigDecimal decimal = decimal(number);
        if (decimal == null || decimal.stripTrailingZeros().scale() > 0) {
            return null;
        }
        boolean fits =
                decimal.compareTo(BigDecimal.valueOf(min)) >= 0 && decimal.compareTo(BigDecimal.valueOf(max)) <= 0;
        if (!fits) {
            return null;
        }
        return max == Integer.MAX_VALUE ? (Object) decimal.intValueExact() : (Object) decimal.longValueExact();
    }
}
