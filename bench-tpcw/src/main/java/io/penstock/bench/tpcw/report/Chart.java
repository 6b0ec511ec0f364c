package io.penstock.bench.tpcw.report;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * One column of an experiment as SVG: bars, or a line for each series. The labels stand at equal distances. A table
 * beside it has the same figures, so it needs no words of its own.
 */
final class Chart {
    private static final int WIDTH = 420;
    private static final int HEIGHT = 240;
    private static final int LEFT = 64;
    private static final int TOP = 26;
    private static final int BOTTOM = 44;
    private static final int COLORS = 6;

    /** Of a capital at the size that labels have, about. */
    private static final int LETTER_WIDTH = 8;

    private final Experiment experiment;
    private final Experiment.Column column;
    private final Map<String, List<Experiment.Row>> series = new LinkedHashMap<>();
    private final List<String> labels;
    private final double max;
    private final Measurements measured;
    private final StringBuilder svg = new StringBuilder();

    private Chart(Experiment experiment, Experiment.Column column, Measurements measured) {
        this.experiment = experiment;
        this.column = column;
        this.measured = measured;
        LinkedHashSet<String> all = new LinkedHashSet<>();
        double largest = 0;
        for (Experiment.Row row : experiment.rows()) {
            series.computeIfAbsent(row.series(), name -> new ArrayList<>()).add(row);
            all.add(row.label());
            largest = Math.max(largest, value(row).orElse(0.0));
        }
        this.labels = List.copyOf(all);
        this.max = largest == 0 ? 1 : largest;
    }

    static String of(Experiment experiment, Experiment.Column column, Measurements measured) {
        return new Chart(experiment, column, measured).draw();
    }

    private Optional<Double> value(Experiment.Row row) {
        return measured.figure(row, column).map(BigDecimal::doubleValue);
    }

    private String draw() {
        int legend = series.size() > 1 ? 18 * series.size() : 0;
        String name = Html.escape(column.heading() + ", " + experiment.title());
        add(
                "<svg role=\"img\" aria-label=\"%s\" viewBox=\"0 0 %d %d\"><title>%s</title>",
                name, WIDTH, HEIGHT + legend, name);
        add("<text class=\"heading\" x=\"%d\" y=\"16\">%s</text>", LEFT, Html.escape(column.heading()));
        for (int part = 0; part <= 4; part++) {
            double value = max * part / 4;
            double y = y(value);
            add("<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>", LEFT, WIDTH, y, y);
            add("<text class=\"end\" x=\"%d\" y=\"%.1f\">%s</text>", LEFT - 6, y + 4, number(value));
        }
        for (int i = 0; i < labels.size(); i++) {
            // Long labels take turns, so that neighbours do not overlap.
            int below = isCrowded() && i % 2 == 1 ? 32 : 18;
            add(
                    "<text class=\"middle\" x=\"%.1f\" y=\"%d\">%s</text>",
                    x(i), HEIGHT - BOTTOM + below, Html.escape(labels.get(i)));
        }
        int number = 0;
        for (Map.Entry<String, List<Experiment.Row>> one : series.entrySet()) {
            draw(one.getKey(), one.getValue(), number++);
        }
        return svg.append("</svg>\n").toString();
    }

    private void draw(String name, List<Experiment.Row> rows, int number) {
        String color = "c" + number % COLORS;
        if (name.isEmpty()) {
            rows.forEach(row -> value(row).ifPresent(value -> bar(row, value)));
            return;
        }
        StringBuilder points = new StringBuilder();
        for (Experiment.Row row : rows) {
            value(row).ifPresent(value -> {
                double x = x(labels.indexOf(row.label()));
                points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x, y(value)));
                add(
                        "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"><title>%s %s: %s</title></circle>",
                        color, x, y(value), Html.escape(name), Html.escape(row.label()), number(value));
            });
        }
        add(
                "<polyline class=\"line %s\" points=\"%s\"/>",
                color, points.toString().strip());
        int y = HEIGHT + 18 * number;
        add("<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"12\" height=\"12\"/>", color, LEFT, y - 10);
        add("<text x=\"%d\" y=\"%d\">%s</text>", LEFT + 18, y, Html.escape(name));
    }

    private void bar(Experiment.Row row, double value) {
        double width = (double) (WIDTH - LEFT) / labels.size() * 0.6;
        add(
                "<rect class=\"c0\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"><title>%s: %s</title></rect>",
                x(labels.indexOf(row.label())) - width / 2,
                y(value),
                width,
                y(0) - y(value),
                Html.escape(row.label()),
                number(value));
    }

    private boolean isCrowded() {
        int longest = labels.stream().mapToInt(String::length).max().orElse(0);
        return longest * LETTER_WIDTH * labels.size() > WIDTH - LEFT;
    }

    private double x(int label) {
        return LEFT + (label + 0.5) * (WIDTH - LEFT) / labels.size();
    }

    private double y(double value) {
        return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * value / max;
    }

    private static String number(double value) {
        return value == Math.rint(value)
                ? String.format(Locale.ROOT, "%.0f", value)
                : String.format(Locale.ROOT, "%.3g", value);
    }

    private void add(String format, Object... arguments) {
        svg.append(String.format(Locale.ROOT, format, arguments)).append('\n');
    }
}
