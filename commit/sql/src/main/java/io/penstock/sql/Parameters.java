package io.penstock.sql;

import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.query.FieldType.Kind;
import java.math.BigDecimal;
import java.sql.Types;
import org.jspecify.annotations.Nullable;

/** The values that programs bind to parameters, as the types of these. */
final class Parameters {
    private Parameters() {}

    /**
     * The value as Calcite keeps those of the type.
     *
     * @param number of the parameter, from 1
     * @param type of {@link Types}, that the statement takes it as
     * @throws InvalidRequestException when the type has no such value
     */
    static @Nullable Object of(int number, int type, @Nullable Object value) {
        if (value == null) {
            return null;
        }
        Object converted = switch (type) {
            case Types.TINYINT, Types.SMALLINT, Types.INTEGER -> SqlTypes.toField(Kind.INT, value);
            case Types.BIGINT -> SqlTypes.toField(Kind.LONG, value);
            case Types.REAL, Types.FLOAT, Types.DOUBLE -> SqlTypes.toField(Kind.DOUBLE, value);
            case Types.DECIMAL, Types.NUMERIC -> decimal(value);
            case Types.BOOLEAN -> SqlTypes.toField(Kind.BOOLEAN, value);
            case Types.CHAR, Types.VARCHAR -> SqlTypes.toField(Kind.STRING, value);
            case Types.DATE -> value instanceof Number days ? (Object) days.intValue() : null;
            case Types.TIMESTAMP -> value instanceof Number millis ? (Object) millis.longValue() : null;
            default -> value;
        };
        if (converted == null) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_ARGUMENT,
                    "a parameter has a value that its type does not take; bind another, or CAST the parameter",
                    "parameter",
                    number,
                    "type",
                    java.sql.JDBCType.valueOf(type),
                    "bound",
                    value.getClass().getSimpleName());
        }
        return converted;
    }

    private static @Nullable BigDecimal decimal(Object value) {
        return value instanceof Number number ? SqlTypes.decimal(number) : null;
    }
}
