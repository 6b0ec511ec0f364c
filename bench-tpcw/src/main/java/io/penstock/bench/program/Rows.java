package io.penstock.bench.program;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Rows of values under the same columns: as JSON a list of objects, as text a table, its first column aligned to the
 * left, all others, being numbers, to the right. For one thread.
 */
public final class Rows {
    private static final String GAP = "  ";

    private final List<Column> columns = new ArrayList<>();
    private final List<List<Object>> rows = new ArrayList<>();

    private record Column(String name, String heading, String format) {}

    /** Returns a table of texts. */
    public static Rows of(String... headings) {
        Rows rows = new Rows();
        for (String heading : headings) {
            rows.column(heading, heading, "%s");
        }
        return rows;
    }

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
        rows.add(List.of(values));
    }

    @JsonValue
    List<Map<String, Object>> json() {
        return rows.stream().map(this::json).toList();
    }

    private Map<String, Object> json(List<Object> row) {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (int i = 0; i < row.size(); i++) {
            fields.put(columns.get(i).name, row.get(i));
        }
        return fields;
    }

    /** Returns {@code value} without more digits than the report needs. */
    public static double rounded(double value, double parts) {
        return Math.rint(value * parts) / parts;
    }

    /** Each line ends with a line feed. */
    @Override
    public String toString() {
        List<List<String>> lines = new ArrayList<>();
        lines.add(columns.stream().map(Column::heading).toList());
        for (List<Object> row : rows) {
            List<String> cells = new ArrayList<>();
            for (int i = 0; i < row.size(); i++) {
                cells.add(String.format(Locale.ROOT, columns.get(i).format, row.get(i)));
            }
            lines.add(cells);
        }
        List<Integer> widths = new ArrayList<>(Collections.nCopies(columns.size(), 0));
        for (List<String> cells : lines) {
            for (int i = 0; i < cells.size(); i++) {
                widths.set(i, Math.max(widths.get(i), cells.get(i).length()));
            }
        }
        StringBuilder text = new StringBuilder();
        for (List<String> cells : lines) {
            StringBuilder line = new StringBuilder(GAP);
            for (int i = 0; i < cells.size(); i++) {
                String blanks = " ".repeat(widths.get(i) - cells.get(i).length());
                line.append(i == 0 ? cells.get(i) + blanks : GAP + blanks + cells.get(i));
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }
}
