package io.penstock.spring.data;

import java.beans.PropertyDescriptor;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Date;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.core.convert.support.DefaultConversionService;
import org.springframework.util.ClassUtils;

/**
 * A row of SQL.
 *
 * @param columns by their names
 * @param values of all columns in order, also of those that share a name
 */
record SqlRow(Map<String, @Nullable Object> columns, List<@Nullable Object> values) {
    private static final Set<Class<?>> WHOLE =
            Set.of(Byte.class, Short.class, Integer.class, Long.class, BigInteger.class);

    static SqlRow of(ResultSet rows) throws SQLException {
        Map<String, @Nullable Object> columns = new LinkedHashMap<>();
        List<@Nullable Object> values = new ArrayList<>();
        for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
            values.add(value(rows, i));
            columns.put(rows.getMetaData().getColumnLabel(i), values.getLast());
        }
        return new SqlRow(columns, values);
    }

    /** Times are read as numbers, in UTC: as objects they go by the clock of this machine, which skips hours. */
    private static @Nullable Object value(ResultSet rows, int column) throws SQLException {
        Object value = rows.getObject(column);
        return switch (value) {
            case Timestamp unused -> Instant.ofEpochMilli(rows.getLong(column));
            case Date unused -> LocalDate.ofEpochDay(rows.getLong(column));
            case null, default -> value;
        };
    }

    /** This row as a record or an array of its columns; as a map, for an interface; or as its first value. */
    @Nullable
    Object as(Class<?> type) {
        if (type.isRecord()) {
            return record(type);
        }
        if (type == Object[].class) {
            return values.toArray();
        }
        return type.isInterface() ? map(type) : converted(values.getFirst(), type);
    }

    private Map<String, @Nullable Object> map(Class<?> type) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>(columns);
        for (PropertyDescriptor property : BeanUtils.getPropertyDescriptors(type)) {
            map.computeIfPresent(property.getName(), (name, value) -> whole(value, property.getPropertyType()));
        }
        return map;
    }

    <R> R record(Class<R> type) {
        Object[] values = Arrays.stream(type.getRecordComponents())
                .map(part -> value(part.getName(), part.getType()))
                .toArray();
        return BeanUtils.instantiateClass(BeanUtils.getResolvableConstructor(type), values);
    }

    /** The value of a column. */
    <V> @Nullable V value(String name, Class<V> type) {
        if (!columns.containsKey(name)) {
            throw StoredRecords.refused("SQL selects no column of this name", name);
        }
        return converted(columns.get(name), type);
    }

    private static <V> @Nullable V converted(@Nullable Object value, Class<V> type) {
        return DefaultConversionService.getSharedInstance().convert(whole(value, type), type);
    }

    /** A value; a whole one, if it is a number and its type takes no other: Spring cuts fractions off. */
    private static @Nullable Object whole(@Nullable Object value, Class<?> type) {
        boolean takesFractions = !WHOLE.contains(ClassUtils.resolvePrimitiveIfNecessary(type));
        if (takesFractions || !(value instanceof BigDecimal || value instanceof Double || value instanceof Float)) {
            return value;
        }
        try {
            return new BigDecimal(value.toString()).toBigIntegerExact();
        } catch (ArithmeticException | NumberFormatException fraction) {
            throw StoredRecords.refused("a value of SQL is no whole number; take a double or BigDecimal", value);
        }
    }
}
