package io.penstock.bench.tpcw.run;

import io.penstock.bench.program.JsonTarget;
import io.penstock.bench.program.Rows;
import io.penstock.bench.tpcw.run.Usage.Count;
import io.penstock.testkit.PriceList;
import io.penstock.testkit.Profile;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The outcomes of a comparison: each as plain text, its parameters, then a table for each question; all as JSON, an
 * array with one object for each. The names of the JSON's fields are an interface.
 */
public final class CompareReport {
    /** The cell where the paper has no figure, or none to divide by. */
    private static final String NONE = "-";

    private static final double MEBI = 1 << 20;

    private final List<LevelResult> outcome;
    private final RunPlan plan;
    private final boolean paper;
    private final CostModel costs;

    private CompareReport(List<LevelResult> outcome) {
        this.outcome = outcome;
        this.plan = outcome.getFirst().plan();
        this.paper = plan.cloud().equals(Profile.PAPER_2008.name());
        this.costs = new CostModel(free() ? Profile.AWS_2026.prices() : plan.prices());
    }

    /** Ends with a line feed. */
    public static String text(List<LevelResult> outcome) {
        return new CompareReport(outcome).text();
    }

    /** Ends with a line feed. */
    public static String json(List<List<LevelResult>> outcomes) {
        return JsonTarget.text(outcomes.stream().map(CompareReport::report).toList());
    }

    private static Map<String, Object> report(List<LevelResult> outcome) {
        RunPlan plan = outcome.getFirst().plan();
        CostModel costs = new CostModel(plan.prices());
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("profile", plan.cloud());
        json.put("seed", plan.seed());
        json.put("layout", plan.layoutName());
        json.put("rows", outcome.stream().map(result -> row(result, costs)).toList());
        return json;
    }

    private static Map<String, Object> row(LevelResult result, CostModel costs) {
        Usage usage = result.usage();
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("level", result.level());
        json.put("transactions", result.transactions());
        json.put("secondsAvg", result.seconds().average());
        json.put("secondsMax", result.seconds().max());
        json.put("secondsP50", result.seconds().p50());
        json.put("secondsP99", result.seconds().p99());
        json.put("costPer1000", result.costPer1000(costs));
        json.put("requests", usage.requests());
        json.put("s3PutLog", usage.of(Count.LOG_PUTS));
        json.put("bytesIn", usage.bytesIn());
        json.put("bytesOut", usage.bytesOut());
        json.put("lostUpdates", result.lostUpdates());
        json.put("lostStockUpdates", result.lostStockUpdates());
        json.put("conflicts", usage.of(Count.CONFLICTS));
        json.put("retries", usage.of(Count.RETRIES));
        json.put("aborted", usage.of(Count.ABORTED));
        json.put("pendingAtEnd", result.pendingAtEnd());
        json.put("treeViolations", result.violations().size());
        return json;
    }

    private boolean free() {
        return plan.prices().equals(PriceList.FREE);
    }

    private String text() {
        return header() + "\n" + seconds() + "\n" + dollars() + "\n" + requests() + "\n" + ends() + remarks();
    }

    private String header() {
        RunPlan.Buying load = plan.buying();
        Tuning tuning = plan.tuning();
        return String.format(
                Locale.ROOT,
                """
                == %s, %s ==
                  %d transactions a level, clients=%d, think time=%s s, items=%d, customers=%d, seed=%d
                  page=%d B, pool=%.1f MiB a client, ttl=%s s, checkpoint interval=%s s
                """,
                plan.cloud(),
                plan.layoutName(),
                load.transactions(),
                load.clients(),
                plainSeconds(load.thinkTime()),
                load.scale().items(),
                load.scale().customers(),
                plan.seed(),
                tuning.pageBytes(),
                tuning.poolBytes() / MEBI,
                plainSeconds(tuning.ttl()),
                plainSeconds(tuning.checkpointInterval()));
    }

    private String seconds() {
        Rows table = rows(
                List.of("seconds a transaction", "avg", "max", "p50", "p99"),
                List.of("paper avg", "paper max", "avg/paper", "max/paper"));
        for (LevelResult result : outcome) {
            Latencies ours = result.seconds();
            add(
                    table,
                    result,
                    List.of(ours.average(), ours.max(), ours.p50(), ours.p99()),
                    theirs -> List.of(
                            decimal(theirs.averageSeconds()),
                            decimal(theirs.maxSeconds()),
                            ratio(ours.average(), theirs.averageSeconds()),
                            ratio(ours.max(), theirs.maxSeconds())));
        }
        return table.toString();
    }

    private String dollars() {
        String title = free() ? "$ for 1000, at aws-2026 prices" : "$ for 1000 transactions";
        Rows table = rows(
                List.of(title, "total", "transaction", "checkpoint+atomic"),
                List.of("paper total", "paper transaction", "paper checkpoint", "total/paper"));
        for (LevelResult result : outcome) {
            CostModel.Split ours = result.costPer1000(costs);
            add(
                    table,
                    result,
                    List.of(ours.total(), ours.transaction(), ours.checkpointAndAtomic()),
                    theirs -> List.of(
                            decimal(theirs.cost().total()),
                            decimal(theirs.cost().transaction()),
                            decimal(theirs.cost().checkpointAndAtomic()),
                            ratio(ours.total(), theirs.cost().total())));
        }
        return table.toString();
    }

    private Rows rows(List<String> headings, List<String> ofPaper) {
        return Rows.of(Stream.concat(headings.stream(), paper ? ofPaper.stream() : Stream.of())
                .toArray(String[]::new));
    }

    /** Adds the row of a level. */
    private void add(
            Rows table, LevelResult result, List<Double> ours, Function<PaperFigures, List<String>> besideTheirs) {
        List<String> cells = new ArrayList<>(List.of(result.level().name()));
        ours.forEach(figure -> cells.add(decimal(figure)));
        if (paper) {
            cells.addAll(PaperFigures.of(result.level()).map(besideTheirs).orElse(Collections.nCopies(4, NONE)));
        }
        table.add(cells.toArray());
    }

    private static String ratio(double ours, double theirs) {
        return theirs == 0 ? NONE : String.format(Locale.ROOT, "%.2f", ours / theirs);
    }

    private String requests() {
        List<String> headings = new ArrayList<>(List.of("requests"));
        Usage.CALLS.forEach(call -> headings.add(call.title()));
        headings.addAll(List.of("MiB in", "MiB out"));
        Rows table = Rows.of(headings.toArray(String[]::new));
        for (LevelResult result : outcome) {
            billed(table, result.level() + " transaction", result.transaction());
            billed(table, result.level() + " checkpoint", result.checkpoint());
        }
        return table.toString();
    }

    private static void billed(Rows table, String title, Usage usage) {
        List<Object> cells = new ArrayList<>(List.of(title));
        Usage.CALLS.forEach(call -> cells.add(usage.of(call)));
        cells.add(decimal(usage.bytesIn() / MEBI));
        cells.add(decimal(usage.bytesOut() / MEBI));
        table.add(cells.toArray());
    }

    private String ends() {
        Rows table = Rows.of(
                "in the end",
                "acknowledged",
                "failed",
                "unknown",
                "lost updates",
                "lost stock updates",
                "pending",
                "tree violations");
        outcome.forEach(result -> table.add(
                result.level(),
                result.transactions(),
                result.failed(),
                result.unknown(),
                result.lostUpdates(),
                result.lostStockUpdates(),
                result.pendingAtEnd(),
                result.violations().size()));
        return table.toString();
    }

    private String remarks() {
        StringBuilder text = new StringBuilder();
        for (LevelResult result : outcome) {
            List<String> lines = new ArrayList<>(result.notes());
            lines.addAll(result.violations());
            lines.forEach(line -> text.append(String.format(Locale.ROOT, "  %s: %s%n", result.level(), line)));
        }
        return text.toString();
    }

    /** Formats a figure: three digits after the point if it is large, more if it is small. */
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
}
