package io.penstock.bench.program;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One measurement of a benchmark, and its limit if it has one. The names of the fields are an interface.
 *
 * @param floor the bound of the measurement, or the value that it is compared with, in its unit; null if it is judged
 *     by itself
 * @param ratio of {@code measured} to {@code floor}; {@code measured} if there is no floor
 * @param limit of the ratio; null for none
 * @param atLeast whether the ratio must reach the limit; otherwise it must not exceed it
 */
public record Figure(
        String name,
        double measured,
        @Nullable Double floor,
        double ratio,
        @Nullable Double limit,
        boolean atLeast,
        String unit) {

    /** Returns a measurement that has no limit. */
    public static Figure of(String name, double measured, String unit) {
        return new Figure(name, measured, null, measured, null, false, unit);
    }

    public static Figure atMost(@Nullable Double limit, String name, double measured, String unit) {
        return new Figure(name, measured, null, measured, limit, false, unit);
    }

    public static Figure atLeast(double limit, String name, double measured, String unit) {
        return new Figure(name, measured, null, measured, limit, true, unit);
    }

    /** Returns this measurement as a ratio to something in the same unit. */
    public Figure over(double compared) {
        return new Figure(name, measured, compared, measured / compared, limit, atLeast, unit);
    }

    public boolean isMet() {
        return limit == null || (atLeast ? ratio >= limit : ratio <= limit);
    }

    /** Markdown, as the documents use; with columns for floors and ratios, and one more digit, if there are any. */
    public static String table(List<Figure> figures) {
        boolean compared = figures.stream().anyMatch(figure -> figure.floor != null);
        StringBuilder text = new StringBuilder(
                compared
                        ? "| name | measured | floor | ratio | limit | unit |\n|---|---|---|---|---|---|\n"
                        : "| name | measured | limit | unit |\n|---|---|---|---|\n");
        for (Figure figure : figures) {
            text.append("| ").append(figure.name).append(" | ").append(number(figure.measured, compared));
            if (compared) {
                text.append(" | ").append(number(figure.floor, true)).append(" | ");
                text.append(figure.floor == null ? "" : number(figure.ratio, true));
            }
            text.append(" | ").append(compared && figure.limit != null ? (figure.atLeast ? ">= " : "<= ") : "");
            text.append(number(figure.limit, compared)).append(" | ").append(figure.unit);
            text.append(figure.isMet() ? " |\n" : " **missed** |\n");
        }
        return text.toString();
    }

    private static String number(@Nullable Double value, boolean compared) {
        if (value == null) {
            return "";
        }
        boolean small = value != 0 && Math.abs(value) < (compared ? 0.1 : 1);
        return String.format(Locale.ROOT, small ? "%.2g" : compared ? "%,.2f" : "%,.1f", value);
    }
}
