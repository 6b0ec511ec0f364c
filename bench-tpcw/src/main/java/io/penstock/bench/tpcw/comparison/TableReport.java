package io.penstock.bench.tpcw.comparison;

import io.penstock.bench.program.TextTable;
import io.penstock.bench.tpcw.figures.CostModel;
import io.penstock.bench.tpcw.figures.Latencies;
import io.penstock.bench.tpcw.figures.PaperFigures;
import io.penstock.bench.tpcw.figures.Requests;
import io.penstock.bench.tpcw.figures.Usage;
import io.penstock.testkit.PriceList;
import io.penstock.testkit.Profile;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** One outcome as plain text: parameters, then a table for each question. */
public final class TableReport {
    /** Where the paper has no figure. */
    private static final String NONE = "-";

    private static final double MEBI = 1 << 20;

    private final Comparison.Outcome outcome;
    private final Scenario scenario;
    private final boolean paper;
    private final CostModel costs;

    private TableReport(Comparison.Outcome outcome) {
        this.outcome = outcome;
        this.scenario = outcome.scenario();
        this.paper = scenario.profile().equals(Profile.PAPER_2008.name());
        this.costs = new CostModel(free() ? Profile.AWS_2026.prices() : scenario.prices());
    }

    /** Ends with a line feed. */
    public static String of(Comparison.Outcome outcome) {
        return new TableReport(outcome).text();
    }

    private boolean free() {
        return scenario.prices().equals(PriceList.FREE);
    }

    private String text() {
        return header() + "\n" + seconds() + "\n" + dollars() + "\n" + requests() + "\n" + ends() + remarks();
    }

    private String header() {
        Scenario.Load load = scenario.load();
        Scenario.Tuning tuning = scenario.tuning();
        return String.format(
                Locale.ROOT,
                """
                == %s, %s ==
                  %d transactions a level, clients=%d, think time=%s s, items=%d, customers=%d, seed=%d
                  page=%d B, pool=%.1f MiB a client, ttl=%s s, checkpoint interval=%s s
                """,
                scenario.profile(),
                scenario.layoutName(),
                load.transactions(),
                load.clients(),
                plainSeconds(load.thinkTime()),
                load.scale().items(),
                load.scale().customers(),
                scenario.seed(),
                tuning.pageBytes(),
                tuning.poolBytes() / MEBI,
                plainSeconds(tuning.ttl()),
                plainSeconds(tuning.checkpointInterval()));
    }

    private String seconds() {
        TextTable table = paper
                ? new TextTable(
                        "seconds a transaction",
                        "avg",
                        "max",
                        "p50",
                        "p99",
                        "paper avg",
                        "paper max",
                        "avg/paper",
                        "max/paper")
                : new TextTable("seconds a transaction", "avg", "max", "p50", "p99");
        for (LevelResult result : outcome.results()) {
            Latencies seconds = result.seconds();
            List<String> cells = cells(result, seconds.average(), seconds.max(), seconds.p50(), seconds.p99());
            if (paper) {
                Optional<PaperFigures> figures = PaperFigures.of(result.level());
                cells.add(figures.map(of -> decimal(of.averageSeconds())).orElse(NONE));
                cells.add(figures.map(of -> decimal(of.maxSeconds())).orElse(NONE));
                cells.add(figures.map(of -> ratio(seconds.average(), of.averageSeconds()))
                        .orElse(NONE));
                cells.add(
                        figures.map(of -> ratio(seconds.max(), of.maxSeconds())).orElse(NONE));
            }
            table.row(cells);
        }
        return table.toString();
    }

    private String dollars() {
        String title = free() ? "$ for 1000, at aws-2026 prices" : "$ for 1000 transactions";
        TextTable table = paper
                ? new TextTable(
                        title,
                        "total",
                        "transaction",
                        "checkpoint+atomic",
                        "paper total",
                        "paper transaction",
                        "paper checkpoint",
                        "total/paper")
                : new TextTable(title, "total", "transaction", "checkpoint+atomic");
        for (LevelResult result : outcome.results()) {
            CostModel.Split cost = result.costPer1000(costs);
            List<String> cells = cells(result, cost.total(), cost.transaction(), cost.checkpointAndAtomic());
            if (paper) {
                Optional<CostModel.Split> figures =
                        PaperFigures.of(result.level()).map(PaperFigures::cost);
                cells.add(figures.map(of -> decimal(of.total())).orElse(NONE));
                cells.add(figures.map(of -> decimal(of.transaction())).orElse(NONE));
                cells.add(figures.map(of -> decimal(of.checkpointAndAtomic())).orElse(NONE));
                cells.add(figures.map(of -> ratio(cost.total(), of.total())).orElse(NONE));
            }
            table.row(cells);
        }
        return table.toString();
    }

    private String requests() {
        TextTable table = new TextTable(
                "requests",
                "s3 get",
                "s3 put",
                "s3 delete",
                "s3 list",
                "sqs send",
                "sqs receive",
                "sqs delete",
                "sqs other",
                "MiB in",
                "MiB out");
        for (LevelResult result : outcome.results()) {
            table.row(requests(result.level() + " transaction", result.transaction()));
            table.row(requests(result.level() + " checkpoint", result.checkpoint()));
        }
        return table.toString();
    }

    private static List<String> requests(String title, Usage usage) {
        Requests requests = usage.requests();
        List<String> cells = new ArrayList<>(List.of(title));
        for (long count : new long[] {
            requests.s3Get(),
            requests.s3Put(),
            requests.s3Delete(),
            requests.s3List(),
            requests.sqsSend(),
            requests.sqsReceive(),
            requests.sqsDelete(),
            requests.sqsOther()
        }) {
            cells.add(Long.toString(count));
        }
        cells.add(decimal(usage.bytesIn() / MEBI));
        cells.add(decimal(usage.bytesOut() / MEBI));
        return cells;
    }

    private String ends() {
        TextTable table = new TextTable(
                "in the end",
                "acknowledged",
                "failed",
                "unknown",
                "lost updates",
                "lost stock updates",
                "pending",
                "tree violations");
        for (LevelResult result : outcome.results()) {
            List<String> cells = new ArrayList<>(List.of(result.level().name()));
            for (long count : new long[] {
                result.transactions(),
                result.failed(),
                result.unknown(),
                result.lostUpdates(),
                result.lostStockUpdates(),
                result.pendingAtEnd(),
                result.violations().size()
            }) {
                cells.add(Long.toString(count));
            }
            table.row(cells);
        }
        return table.toString();
    }

    private String remarks() {
        StringBuilder text = new StringBuilder();
        for (LevelResult result : outcome.results()) {
            List<String> lines = new ArrayList<>(result.notes());
            lines.addAll(result.violations());
            lines.forEach(line -> text.append(String.format(Locale.ROOT, "  %s: %s%n", result.level(), line)));
        }
        return text.toString();
    }

    private static List<String> cells(LevelResult result, double... figures) {
        List<String> cells = new ArrayList<>(List.of(result.level().name()));
        for (double figure : figures) {
            cells.add(decimal(figure));
        }
        return cells;
    }

    /** Three digits after the point for what is large, more for what is small. */
    private static String decimal(double figure) {
        double size = Math.abs(figure);
        if (size != 0 && size < 0.01) {
            return String.format(Locale.ROOT, "%.6f", figure);
        }
        return String.format(Locale.ROOT, size < 100 ? "%.3f" : "%.1f", figure);
    }

    private static String plainSeconds(Duration duration) {
        return BigDecimal.valueOf(duration.toMillis(), 3).stripTrailingZeros().toPlainString();
    }

    private static String ratio(double ours, double theirs) {
        return theirs == 0 ? "-" : String.format(Locale.ROOT, "%.2f", ours / theirs);
    }
}
