package io.penstock.bench.tpcw;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.bench.program.Progress;
import io.penstock.bench.tpcw.report.Experiment;
import io.penstock.bench.tpcw.report.Experiments;
import io.penstock.bench.tpcw.report.HtmlReport;
import io.penstock.bench.tpcw.report.Measurements;
import io.penstock.bench.tpcw.report.PlainReport;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class TpcwReportTest {
    private static final long SEED = 1;
    private static final int RERUN = 3;
    private static final Pattern LINE = Pattern.compile("(.*),([^,\"]+),\"scripts/tpcw ([^\"]+)\",\"([^\"]+)\"");

    private static String json(String line) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Tpcw.run(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                Progress.NONE,
                line.split(" "));
        return out.toString(StandardCharsets.UTF_8);
    }

    private static List<Experiment.Row> someRows(List<Experiment> experiments) {
        List<Experiment.Row> rows = new ArrayList<>();
        experiments.forEach(experiment -> rows.addAll(experiment.rows()));
        Collections.shuffle(rows, new Random(SEED));
        return rows.subList(0, RERUN);
    }

    @Test
    void theCommandBesideANumberPrintsIt() {
        List<Experiment> experiments = Experiments.all(true);
        Measurements measured = new Measurements();
        for (Experiment.Row row : someRows(experiments)) {
            measured.add(row.command(), json(row.command() + " --json -"));
        }
        String csv = PlainReport.csv(experiments, measured);
        Measurements again = new Measurements();
        Set<String> commands = new HashSet<>();
        for (String line : csv.lines().skip(1).toList()) {
            Matcher parts = LINE.matcher(line);
            assertThat(parts.matches()).as(line).isTrue();
            String command = parts.group(3).replace(" --json -", "");
            if (commands.add(command)) {
                again.add(command, json(parts.group(3)));
            }
        }
        assertThat(commands).hasSizeGreaterThanOrEqualTo(2);
        assertThat(PlainReport.csv(experiments, again)).as("seed=%d", SEED).isEqualTo(csv);
    }

    @Test
    void everyFigureIsInTheJsonOfItsCommand() {
        List<Experiment> experiments = Experiments.all(true);
        Measurements measured = new Measurements();
        for (Experiment experiment : experiments) {
            Experiment.Row row = experiment.rows().getFirst();
            if (!measured.has(row.command())) {
                measured.add(row.command(), json(row.command() + " --json -"));
            }
            for (Experiment.Column column : experiment.columns()) {
                assertThat(measured.figure(row, column))
                        .as("%s, %s", experiment.id(), column.heading())
                        .isPresent();
            }
        }
    }

    @Test
    void theReportAsksForNothingElse() {
        String html = HtmlReport.of(Experiments.all(true), new Measurements(), "Commit <none> & \"so on\".");
        assertThat(html)
                .contains("Commit &lt;none&gt; &amp; &quot;so on&quot;.", "prefers-color-scheme: dark", "@media print")
                .contains("uPlot", "<div class=\"chart\" role=\"img\"")
                .doesNotContain("<link", "src=", "@import", "url(", "import(", "fetch(");
        assertThat(Pattern.compile("https?:\\S*").matcher(html).results().map(MatchResult::group))
                .as("the library names itself in a comment")
                .containsExactly("https://github.com/leeoniya/uPlot");
    }
}
