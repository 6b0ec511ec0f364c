package io.penstock;

import io.penstock.commit.log.WireReader;
import io.penstock.commit.log.WireWriter;
import io.penstock.core.Bytes;
import io.penstock.query.Field;
import io.penstock.query.FieldType;
import io.penstock.query.Row;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows of some fields as bytes: of each field {@code u8 present | [bytes]}. Values come back as they were: decimals
 * with their scale, zeros with their sign.
 */
record RowCodec(List<Field<?>> fields) implements PayloadCodec<Row> {
    @Override
    public Bytes encode(Row row) {
        WireWriter out = new WireWriter(64);
        for (int i = 0; i < fields.size(); i++) {
            Object value = row.at(i);
            out.u8(value == null ? 0 : 1);
            if (value != null) {
                out.bytes(bytes(fields.get(i).type(), value));
            }
        }
        return out.toBytes();
    }

    private static <T> Bytes bytes(FieldType<T> type, Object value) {
        return switch (type.kind()) {
            case DECIMAL -> Bytes.utf8(value.toString());
            case DOUBLE -> FieldType.LONG.encode(Double.doubleToRawLongBits((Double) value));
            default -> type.encode(type.javaType().cast(value));
        };
    }

    @Override
    public Row decode(Bytes payload) {
        WireReader in = new WireReader(payload, "the included part of an index entry");
        @Nullable Object[] values = new Object[fields.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = in.u8() == 0 ? null : value(fields.get(i).type(), in.bytes());
        }
        in.end();
        return new Row(fields, values);
    }

    private static Object value(FieldType<?> type, Bytes bytes) {
        return switch (type.kind()) {
            case DECIMAL -> new BigDecimal(bytes.toUtf8());
            case DOUBLE -> Double.longBitsToDouble(FieldType.LONG.decode(bytes));
            default -> type.decode(bytes);
        };
    }
}
