package io.penstock.sql;

import java.math.RoundingMode;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.apache.calcite.jdbc.JavaTypeFactoryImpl;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeSystemImpl;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/** The types of expressions: text in Unicode, sums that do not overflow, averages that keep their fraction. */
final class StoreTypes extends JavaTypeFactoryImpl {
    StoreTypes() {
        super(new Limits());
    }

    @Override
    public Charset getDefaultCharset() {
        return StandardCharsets.UTF_8;
    }

    private static final class Limits extends RelDataTypeSystemImpl {
        /** Enough for a product of several columns. */
        private static final int DIGITS_MAX = 400;

        private static final int SCALE_MAX = 200;

        private static final int QUOTIENT_SCALE = 3 * SqlTypes.DECIMAL_SCALE;

        @Override
        public int getMaxPrecision(SqlTypeName type) {
            return switch (type) {
                case DECIMAL -> DIGITS_MAX;
                case VARCHAR, CHAR, VARBINARY, BINARY -> Integer.MAX_VALUE;
                default -> super.getMaxPrecision(type);
            };
        }

        @Override
        public int getMaxScale(SqlTypeName type) {
            return type == SqlTypeName.DECIMAL ? SCALE_MAX : super.getMaxScale(type);
        }

        @Override
        public int getDefaultPrecision(SqlTypeName type) {
            return type == SqlTypeName.TIMESTAMP ? 3 : super.getDefaultPrecision(type);
        }

        @Override
        public RoundingMode roundingMode() {
            return RoundingMode.HALF_UP;
        }

        /** Without this 'a' is padded with blanks beside 'bc'. */
        @Override
        public boolean shouldConvertRaggedUnionTypesToVarying() {
            return true;
        }

        @Override
        public RelDataType deriveSumType(RelDataTypeFactory types, RelDataType argument) {
            RelDataType sum = switch (argument.getSqlTypeName()) {
                case TINYINT, SMALLINT, INTEGER -> types.createSqlType(SqlTypeName.BIGINT);
                case BIGINT -> types.createSqlType(SqlTypeName.DECIMAL, DIGITS_MAX, 0);
                default -> super.deriveSumType(types, argument);
            };
            return types.createTypeWithNullability(sum, argument.isNullable());
        }

        /** A quotient with room for its digits, however small it is. */
        @Override
        public @Nullable RelDataType deriveDecimalDivideType(
                RelDataTypeFactory types, RelDataType dividend, RelDataType divisor) {
            RelDataType quotient = super.deriveDecimalDivideType(types, dividend, divisor);
            if (quotient == null || quotient.getSqlTypeName() != SqlTypeName.DECIMAL) {
                return quotient;
            }
            int scale = Math.max(quotient.getScale(), QUOTIENT_SCALE);
            return types.createTypeWithNullability(
                    types.createSqlType(SqlTypeName.DECIMAL, DIGITS_MAX, scale), quotient.isNullable());
        }

        @Override
        public RelDataType deriveAvgAggType(RelDataTypeFactory types, RelDataType argument) {
            RelDataType average = switch (argument.getSqlTypeName()) {
                case TINYINT, SMALLINT, INTEGER, BIGINT ->
                    types.createSqlType(SqlTypeName.DECIMAL, DIGITS_MAX, SqlTypes.DECIMAL_SCALE);
                case DECIMAL ->
                    types.createSqlType(
                            SqlTypeName.DECIMAL, DIGITS_MAX, Math.max(argument.getScale(), SqlTypes.DECIMAL_SCALE));
                default -> argument;
            };
            return types.createTypeWithNullability(average, argument.isNullable());
        }
    }
}
