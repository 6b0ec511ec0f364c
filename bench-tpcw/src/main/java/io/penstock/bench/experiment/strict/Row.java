package io.penstock.bench.experiment.strict;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A measurement beside what it cannot be better than, or what it is compared with.
 *
 * @param floor in the same unit; null where the measurement is judged as it is
 * @param ratio of the two, or the measurement
 * @param limit of the ratio; null for none
 * @param atLeast whether the ratio must reach the limit; otherwise it must not exceed it
 */
record Row(
        String name,
        double measured,
        @Nullable Double floor,
        double ratio,
        @Nullable Double limit,
        boolean atLeast,
        String unit) {
    static Row atMost(double limit, String name, double measured, String unit) {
        return new Row(name, measured, null, measured, limit, false, unit);
    }

    static Row atLeast(double limit, String name, double measured, String unit) {
        return new Row(name, measured, null, measured, limit, true, unit);
    }

    static Row plain(String name, double measured, String unit) {
        return new Row(name, measured, null, measured, null, false, unit);
    }

    /** The same, as a ratio to something in the same unit. */
    Row over(double compared) {
        return new Row(name, measured, compared, measured / compared, limit, atLeast, unit);
    }

    boolean isMet() {
        return limit == null || (atLeast ? ratio >= limit : ratio <= limit);
    }

    /** Markdown, as the documents use. */
    static String table(List<Row> rows) {
        StringBuilder text = new StringBuilder("""
                | name | measured | floor | ratio | limit | unit |
                |---|---|---|---|---|---|
                """);
        for (Row row : rows) {
            text.append(String.format(
                    Locale.ROOT,
                    "| %s | %s | %s | %s | %s | %s%s |%n",
                    row.name,
                    number(row.measured),
                    number(row.floor),
                    row.floor == null ? "" : number(row.ratio),
                    row.limit == null ? "" : (row.atLeast ? ">= " : "<= ") + number(row.limit),
                    row.unit,
                    row.isMet() ? "" : " **missed**"));
        }
        return text.toString();
    }

    private static String number(@Nullable Double value) {
        if (value == null) {
            return "";
        }
        return value != 0 && Math.abs(value) < 0.1
                ? String.format(Locale.ROOT, "%.2g", value)
                : String.format(Locale.ROOT, "%,.2f", value);
    }
}
