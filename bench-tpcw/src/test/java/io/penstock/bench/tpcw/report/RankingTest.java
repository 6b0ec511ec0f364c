package io.penstock.bench.tpcw.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.bench.tpcw.report.Experiment.Column;
import io.penstock.bench.tpcw.report.Experiment.Row;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RankingTest {
    private static final Column LATENCY = new Column("latency, s", "/s", 2);

    private final Measurements measured = new Measurements();
    private final List<Row> rows = new ArrayList<>();

    private void row(String series, String level, double paper, double here) {
        String command = series + " " + level;
        rows.add(new Row(series, level, command, "", List.of(Double.toString(paper))));
        measured.add(command, "{\"s\": " + here + "}");
    }

    private List<String> sentences() {
        Experiment ranking =
                new Experiment("ranking", "Ranking", "", "level", List.of("paper"), List.of(LATENCY), 0, true, rows);
        return Ranking.sentences(ranking, measured);
    }

    @Test
    void aChangedOrderIsASentence() {
        row("then", "NAIVE", 3, 30);
        row("then", "BASIC", 1, 10);
        row("now", "NAIVE", 3, 1);
        row("now", "BASIC", 1, 2);
        assertThat(sentences())
                .containsExactly(
                        "By latency, BASIC wins in the paper, and BASIC with then.",
                        "By latency, NAIVE is ahead of BASIC with now (1.00 against 2.00), behind it with then (30.0"
                                + " against 10.0).");
    }

    @Test
    void aTieChangesNothing() {
        row("then", "NAIVE", 3, 30);
        row("then", "BASIC", 1, 10);
        row("now", "NAIVE", 3, 2.00);
        row("now", "BASIC", 1, 2.05);
        assertThat(sentences()).hasSize(1);
    }

    @Test
    void whatWasNotMeasuredIsNotTold() {
        rows.add(new Row("then", "NAIVE", "not run", "", List.of("3")));
        assertThat(sentences()).isEmpty();
    }
}
