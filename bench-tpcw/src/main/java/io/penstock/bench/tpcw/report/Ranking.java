package io.penstock.bench.tpcw.report;

import io.penstock.bench.tpcw.report.Experiment.Column;
import io.penstock.bench.tpcw.report.Experiment.Row;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The ranking of the levels, and the conditions under which their order differs from that of the first series. A
 * difference below 5 % is a tie.
 */
final class Ranking {
    private static final double TIE = 1.05;

    private final Map<String, Map<String, Double>> figures = new LinkedHashMap<>();
    private final String measure;

    /** @param measure one word, for "by ..." */
    private Ranking(String measure) {
        this.measure = measure;
    }

    /**
     * Sentences about each column, from what has been measured.
     *
     * @param experiment its rows' series are conditions, its labels levels; its given figures are those of the paper,
     *     in the order of the columns
     */
    static List<String> sentences(Experiment experiment, Measurements measured) {
        List<String> sentences = new ArrayList<>();
        for (int i = 0; i < experiment.columns().size(); i++) {
            Column column = experiment.columns().get(i);
            Ranking ranking = new Ranking(column.heading().split("[ ,]")[0]);
            for (Row row : experiment.rows()) {
                ranking.put(
                        "the paper", row.label(), Double.parseDouble(row.given().get(i)));
            }
            for (Row row : experiment.rows()) {
                measured.figure(row, column)
                        .map(BigDecimal::doubleValue)
                        .ifPresent(figure -> ranking.put(row.series(), row.label(), figure));
            }
            sentences.addAll(ranking.tell());
        }
        return sentences;
    }

    private void put(String series, String level, double figure) {
        figures.computeIfAbsent(series, key -> new LinkedHashMap<>()).put(level, figure);
    }

    private List<String> tell() {
        List<String> series = List.copyOf(figures.keySet());
        if (series.size() < 2) {
            return List.of();
        }
        List<String> sentences = new ArrayList<>();
        sentences.add(String.format(
                Locale.ROOT,
                "By %s, %s wins in the paper, and %s with %s.",
                measure,
                winner("the paper"),
                winner(series.get(1)),
                series.get(1)));
        sentences.addAll(changes("the paper", series.get(1)));
        series.stream().skip(2).forEach(each -> sentences.addAll(changes(series.get(1), each)));
        return sentences;
    }

    private String winner(String series) {
        return of(series).entrySet().stream()
                .min(Comparator.comparingDouble(Map.Entry::getValue))
                .orElseThrow()
                .getKey();
    }

    private Map<String, Double> of(String series) {
        return figures.getOrDefault(series, Map.of());
    }

    /** A sentence for each pair of levels that has changed places. */
    private List<String> changes(String from, String to) {
        List<String> sentences = new ArrayList<>();
        List<String> levels = List.copyOf(of(to).keySet());
        for (String a : levels) {
            for (String b : levels) {
                if (ahead(from, a, b) && ahead(to, b, a)) {
                    sentences.add(String.format(
                            Locale.ROOT,
                            "By %s, %s is ahead of %s with %s (%s against %s), behind it with %s (%s against %s).",
                            measure,
                            b,
                            a,
                            to,
                            figure(to, b),
                            figure(to, a),
                            from,
                            figure(from, b),
                            figure(from, a)));
                }
            }
        }
        return sentences;
    }

    private boolean ahead(String series, String a, String b) {
        Double first = of(series).get(a);
        Double second = of(series).get(b);
        return first != null && second != null && first * TIE < second;
    }

    private String figure(String series, String level) {
        return String.format(Locale.ROOT, "%.3g", of(series).get(level));
    }
}
