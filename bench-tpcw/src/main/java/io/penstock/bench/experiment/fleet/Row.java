package io.penstock.bench.experiment.fleet;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One measurement.
 *
 * @param limit what it must not exceed, or must reach if the unit is a rate; null for none
 * @param unit a rate ends with {@code /s}
 */
record Row(String name, double measured, @Nullable Double limit, String unit) {
    static Row of(String name, double measured, String unit) {
        return new Row(name, measured, null, unit);
    }

    boolean isMet() {
        return limit == null || (unit.endsWith("/s") ? measured >= limit : measured <= limit);
    }

    /** Markdown, as the documents use. */
    static String table(List<Row> rows) {
        StringBuilder text = new StringBuilder("| name | measured | limit | unit |\n|---|---|---|---|\n");
        for (Row row : rows) {
            text.append(String.format(
                    Locale.ROOT,
                    "| %s | %s | %s | %s%s |%n",
                    row.name,
                    number(row.measured),
                    row.limit == null ? "" : number(row.limit),
                    row.unit,
                    row.isMet() ? "" : " **missed**"));
        }
        return text.toString();
    }

    private static String number(double value) {
        return value != 0 && Math.abs(value) < 1
                ? String.format(Locale.ROOT, "%.2g", value)
                : String.format(Locale.ROOT, "%,.1f", value);
    }
}
