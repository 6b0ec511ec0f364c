package io.penstock.bench.program;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/** Rows of values under the same columns: as JSON a list of objects, as text a table. For one thread. */
public final class Rows {
    private final List<Column> columns = new ArrayList<>();
    private final List<Map<String, Object>> rows = new ArrayList<>();

    private record Column(String name, String heading, String format) {}

    /**
     * Adds a column.
     *
     * @param name of the field in JSON, which is an interface
     * @param format of its values in the table
     */
    public Rows column(String name, String heading, String format) {
        columns.add(new Column(name, heading, format));
        return this;
    }

    /** @param values one for each column */
    public void add(Object... values) {
        if (values.length != columns.size()) {
            throw new IllegalArgumentException("a row must have as many values as there are columns");
        }
        Map<String, Object> row = new LinkedHashMap<>();
        IntStream.range(0, values.length).forEach(i -> row.put(columns.get(i).name, values[i]));
        rows.add(row);
    }

    @JsonValue
    public List<Map<String, Object>> rows() {
        return rows;
    }

    /** Returns {@code value} without more digits than the report needs. */
    public static double rounded(double value, double parts) {
        return Math.rint(value * parts) / parts;
    }

    /** Aligned columns; each line ends with a line feed. */
    @Override
    public String toString() {
        TextTable table = new TextTable(columns.stream().map(Column::heading).toArray(String[]::new));
        for (Map<String, Object> row : rows) {
            table.row(columns.stream()
                    .map(column -> String.format(Locale.ROOT, column.format, row.get(column.name)))
                    .toList());
        }
        return table.toString();
    }
}
