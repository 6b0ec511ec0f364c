package io.penstock.spring.data;

import java.sql.Date;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.core.convert.support.DefaultConversionService;

/**
 * A row of SQL.
 *
 * @param columns by their names, in order
 */
record SqlRow(Map<String, @Nullable Object> columns) {
    static SqlRow of(ResultSet rows) throws SQLException {
        Map<String, @Nullable Object> columns = new LinkedHashMap<>();
        for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
            columns.put(rows.getMetaData().getColumnLabel(i), value(rows, i));
        }
        return new SqlRow(columns);
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

    /** This row as a record of its columns; as a map, which Spring gives an interface; or as its first value. */
    @Nullable
    Object as(Class<?> type) {
        if (type.isRecord()) {
            return record(type);
        }
        return type.isInterface()
                ? columns
                : converted(columns.values().iterator().next(), type);
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
        return DefaultConversionService.getSharedInstance().convert(value, type);
    }
}
