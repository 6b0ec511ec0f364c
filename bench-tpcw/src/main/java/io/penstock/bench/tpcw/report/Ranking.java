package io.penstock.bench.tpcw.report;

import io.penstock.bench.tpcw.report.Experiment.Column;
import io.penstock.bench.tpcw.report.Experiment.Row;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The ranking of the levels by one measure, and the conditions under which their order differs from that of the first
 * series. A difference below 5 % is a tie.
 *
 * @param measure one word, for "by ..."
 * @param figures by series, then by level
 */
record Ranking(String measure, Map<String, Map<String, Double>> figures) {
    private static final double TIE = 1.05;
    private static final String PAPER = "the paper";

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
            Ranking ranking = new Ranking(column.heading().split("[ ,]")[0], new LinkedHashMap<>());
            for (Row row : experiment.rows()) {
                ranking.put(PAPER, row.label(), Double.parseDouble(row.given().get(i)));
            }
            for (Row row : experiment.rows()) {
                measured.figure(row, column)
                        .ifPresent(figure -> ranking.put(row.series(), row.label(), figure.doubleValue()));
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
        String first = series.get(1);
        List<String> sentences = new ArrayList<>();
        sentences.add(
                "By %s, %s wins in the paper, and %s with %s.".formatted(measure, winner(PAPER), winner(first), first));
        sentences.addAll(changes(PAPER, first));
        series.stream().skip(2).forEach(each -> sentences.addAll(changes(first, each)));
        return sentences;
    }

    private String winner(String series) {
        return of(series).entrySet().stream()
                .min(Map.Entry.comparingByValue())
                .orElseThrow()
                .getKey();
    }

    private Map<String, Double> of(String series) {
        return figures.getOrDefault(series, Map.of());
    }

    /** A sentence for each pair of levels that has changed places. */
    private List<String> changes(String from, String to) {
        List<String> sentences = new ArrayList<>();
        for (String a : of(to).keySet()) {
            for (String b : of(to).keySet()) {
                if (ahead(from, a, b) && ahead(to, b, a)) {
                    sentences.add("By %s, %s is ahead of %s with %s (%s), behind it with %s (%s)."
                            .formatted(measure, b, a, to, pair(to, b, a), from, pair(from, b, a)));
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

    private String pair(String series, String one, String other) {
        return String.format(
                Locale.ROOT,
                "%.3g against %.3g",
                of(series).get(one),
                of(series).get(other));
    }
}
