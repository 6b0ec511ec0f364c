package io.penstock.bench.program;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One measurement of a benchmark, and its limit if it has one.
 *
 * @param limit what it must not exceed, or must reach if the unit is a rate; null for none
 * @param unit a rate ends with {@code /s}
 */
public record Figure(String name, double measured, @Nullable Double limit, String unit) {
    public static Figure of(String name, double measured, String unit) {
        return new Figure(name, measured, null, unit);
    }

    public boolean isMet() {
        return limit == null || (unit.endsWith("/s") ? measured >= limit : measured <= limit);
    }

    /** Markdown, as the documents use. */
    public static String table(List<Figure> figures) {
        StringBuilder text = new StringBuilder("| name | measured | limit | unit |\n|---|---|---|---|\n");
        for (Figure figure : figures) {
            text.append(String.format(
                    Locale.ROOT,
                    "| %s | %s | %s | %s%s |%n",
                    figure.name,
                    number(figure.measured),
                    figure.limit == null ? "" : number(figure.limit),
                    figure.unit,
                    figure.isMet() ? "" : " **missed**"));
        }
        return text.toString();
    }

    private static String number(double value) {
        return value != 0 && Math.abs(value) < 1
                ? String.format(Locale.ROOT, "%.2g", value)
                : String.format(Locale.ROOT, "%,.1f", value);
    }
}
