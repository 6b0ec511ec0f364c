package io.penstock.cli.transfer;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.cli.program.UsageException;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Formats of the rows that a query finds. */
public enum ResultFormat {
    /** Columns beside each other, as wide as their values. */
    TABLE {
        @Override
        public void write(PrintStream out, ResultSet rows) throws SQLException {
            List<@Nullable String[]> block = new ArrayList<>();
            block.add(names(rows));
            long count = 0;
            while (rows.next()) {
                block.add(texts(rows));
                count++;
                if (block.size() == BLOCK_ROWS) {
                    print(out, block);
                    block.clear();
                }
            }
            print(out, block);
            out.println(count + (count == 1 ? " row" : " rows"));
        }
    },

    /** Values between commas, with a line of names. */
    CSV {
        @Override
        public void write(PrintStream out, ResultSet rows) throws SQLException {
            out.println(line(names(rows)));
            while (rows.next()) {
                out.println(line(texts(rows)));
            }
        }
    },

    /** An object for each row, in a line. */
    JSON {
        @Override
        public void write(PrintStream out, ResultSet rows) throws SQLException {
            @Nullable String[] names = names(rows);
            if (Arrays.stream(names).distinct().count() < names.length) {
                throw new UsageException("two columns have one name, which --json cannot tell apart; name them by AS");
            }
            while (rows.next()) {
                ObjectNode row = MAPPER.createObjectNode();
                for (int i = 0; i < names.length; i++) {
                    put(row, String.valueOf(names[i]), rows, i + 1);
                }
                out.println(row);
            }
        }
    };

    /** The rows of a table whose widths are made alike. */
    private static final int BLOCK_ROWS = 1000;

    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** Writes all rows. */
    public abstract void write(PrintStream out, ResultSet rows) throws SQLException;

    private static @Nullable String[] names(ResultSet rows) throws SQLException {
        ResultSetMetaData columns = rows.getMetaData();
        @Nullable String[] names = new @Nullable String[columns.getColumnCount()];
        for (int i = 0; i < names.length; i++) {
            names[i] = columns.getColumnLabel(i + 1);
        }
        return names;
    }

    private static @Nullable String[] texts(ResultSet rows) throws SQLException {
        @Nullable String[] texts = new @Nullable String[rows.getMetaData().getColumnCount()];
        for (int i = 0; i < texts.length; i++) {
            Object value = rows.getObject(i + 1);
            texts[i] = value instanceof byte[] bytes
                    ? Base64.getEncoder().encodeToString(bytes)
                    : value == null ? null : rows.getString(i + 1);
        }
        return texts;
    }

    private static void print(PrintStream out, List<@Nullable String[]> block) {
        int columns = block.isEmpty() ? 0 : block.getFirst().length;
        int[] widths = new int[columns];
        for (@Nullable String[] row : block) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], shown(row[i]).length());
            }
        }
        for (@Nullable String[] row : block) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < columns; i++) {
                String text = shown(row[i]);
                line.append(i == 0 ? "" : "  ").append(text).append(" ".repeat(widths[i] - text.length()));
            }
            out.println(line.toString().stripTrailing());
        }
    }

    private static String shown(@Nullable String text) {
        return text == null ? "null" : text;
    }

    /** Null is nothing between commas; empty text is in quotes. */
    private static String line(@Nullable String[] texts) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < texts.length; i++) {
            String text = texts[i];
            line.append(i == 0 ? "" : ",");
            if (text != null) {
                boolean quoted = text.isEmpty() || text.chars().anyMatch(c -> c == ',' || c == '"' || c < ' ');
                line.append(quoted ? '"' + text.replace("\"", "\"\"") + '"' : text);
            }
        }
        return line.toString();
    }

    /** Times are their text, in UTC: as objects they go by the clock of the machine's own zone. */
    private static void put(ObjectNode row, String name, ResultSet rows, int column) throws SQLException {
        switch (rows.getObject(column)) {
            case null -> row.putNull(name);
            case Boolean truth -> row.put(name, truth);
            case Integer number -> row.put(name, number);
            case Long number -> row.put(name, number);
            case Double number -> row.put(name, number);
            case BigDecimal number -> row.put(name, number);
            case byte[] bytes -> row.put(name, bytes);
            default -> row.put(name, rows.getString(column));
        }
    }
}
