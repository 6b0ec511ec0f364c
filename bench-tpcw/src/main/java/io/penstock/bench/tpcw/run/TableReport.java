package io.penstock.bench.tpcw.run;

import io.penstock.bench.program.Rows;
import io.penstock.testkit.PriceList;
import io.penstock.testkit.Profile;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/** One outcome as plain text: parameters, then a table for each question. */
public final class TableReport {
    /** The cell where the paper has no figure, or none to divide by. */
    private static final String NONE = "-";

    private static final double MEBI = 1 << 20;

    private final List<LevelResult> outcome;
    private final RunPlan plan;
    private final boolean paper;
    private final CostModel costs;

    private TableReport(List<LevelResult> outcome) {
        this.outcome = outcome;
        this.plan = outcome.getFirst().plan();
        this.paper = plan.cloud().equals(Profile.PAPER_2008.name());
        this.costs = new CostModel(free() ? Profile.AWS_2026.prices() : plan.prices());
    }

    /** Ends with a line feed. */
    public static String of(List<LevelResult> outcome) {
        return new TableReport(outcome).text();
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
        List<Column<LevelResult>> columns = new ArrayList<>(List.of(
                figure("avg", result -> result.seconds().average()),
                figure("max", result -> result.seconds().max()),
                figure("p50", result -> result.seconds().p50()),
                figure("p99", result -> result.seconds().p99())));
        if (paper) {
            columns.add(published("paper avg", PaperFigures::averageSeconds));
            columns.add(published("paper max", PaperFigures::maxSeconds));
            columns.add(ratio("avg/paper", result -> result.seconds().average(), PaperFigures::averageSeconds));
            columns.add(ratio("max/paper", result -> result.seconds().max(), PaperFigures::maxSeconds));
        }
        return levels("seconds a transaction", columns);
    }

    private String dollars() {
        List<Column<LevelResult>> columns = new ArrayList<>(List.of(
                figure("total", result -> cost(result).total()),
                figure("transaction", result -> cost(result).transaction()),
                figure("checkpoint+atomic", result -> cost(result).checkpointAndAtomic())));
        if (paper) {
            columns.add(published("paper total", of -> of.cost().total()));
            columns.add(published("paper transaction", of -> of.cost().transaction()));
            columns.add(published("paper checkpoint", of -> of.cost().checkpointAndAtomic()));
            columns.add(ratio(
                    "total/paper",
                    result -> cost(result).total(),
                    of -> of.cost().total()));
        }
        return levels(free() ? "$ for 1000, at aws-2026 prices" : "$ for 1000 transactions", columns);
    }

    private CostModel.Split cost(LevelResult result) {
        return result.costPer1000(costs);
    }

    private String requests() {
        List<Column<Billed>> columns = List.of(
                new Column<>("requests", Billed::title),
                count("s3 get", billed -> billed.requests().s3Get()),
                count("s3 put", billed -> billed.requests().s3Put()),
                count("s3 delete", billed -> billed.requests().s3Delete()),
                count("s3 list", billed -> billed.requests().s3List()),
                count("sqs send", billed -> billed.requests().sqsSend()),
                count("sqs receive", billed -> billed.requests().sqsReceive()),
                count("sqs delete", billed -> billed.requests().sqsDelete()),
                count("sqs other", billed -> billed.requests().sqsOther()),
                figure("MiB in", billed -> billed.usage.bytesIn() / MEBI),
                figure("MiB out", billed -> billed.usage.bytesOut() / MEBI));
        return table(
                columns,
                outcome.stream()
                        .flatMap(result -> Stream.of(
                                new Billed(result.level() + " transaction", result.transaction()),
                                new Billed(result.level() + " checkpoint", result.checkpoint())))
                        .toList());
    }

    /** A row of the table of requests. */
    private record Billed(String title, Usage usage) {
        Usage.Requests requests() {
            return usage.requests();
        }
    }

    private String ends() {
        return levels(
                "in the end",
                List.of(
                        count("acknowledged", LevelResult::transactions),
                        count("failed", LevelResult::failed),
                        count("unknown", LevelResult::unknown),
                        count("lost updates", LevelResult::lostUpdates),
                        count("lost stock updates", LevelResult::lostStockUpdates),
                        count("pending", LevelResult::pendingAtEnd),
                        count("tree violations", result -> result.violations().size())));
    }

    /** A column of a table: its heading, and the cell of a row. */
    private record Column<R>(String heading, Function<R, String> cell) {}

    private static <R> Column<R> figure(String heading, ToDoubleFunction<R> value) {
        return new Column<>(heading, row -> decimal(value.applyAsDouble(row)));
    }

    private static <R> Column<R> count(String heading, ToLongFunction<R> value) {
        return new Column<>(heading, row -> Long.toString(value.applyAsLong(row)));
    }

    private static Column<LevelResult> published(String heading, ToDoubleFunction<PaperFigures> theirs) {
        return ofPaper(heading, (result, figures) -> decimal(theirs.applyAsDouble(figures)));
    }

    private static Column<LevelResult> ratio(
            String heading, ToDoubleFunction<LevelResult> ours, ToDoubleFunction<PaperFigures> theirs) {
        return ofPaper(
                heading,
                (result, figures) -> theirs.applyAsDouble(figures) == 0
                        ? NONE
                        : String.format(
                                Locale.ROOT, "%.2f", ours.applyAsDouble(result) / theirs.applyAsDouble(figures)));
    }

    private static Column<LevelResult> ofPaper(String heading, BiFunction<LevelResult, PaperFigures, String> cell) {
        return new Column<>(
                heading,
                result -> PaperFigures.of(result.level())
                        .map(figures -> cell.apply(result, figures))
                        .orElse(NONE));
    }

    /** A table with a row for each level. */
    private String levels(String title, List<Column<LevelResult>> columns) {
        List<Column<LevelResult>> all = new ArrayList<>(columns);
        all.addFirst(new Column<>(title, result -> result.level().name()));
        return table(all, outcome);
    }

    private static <R> String table(List<Column<R>> columns, List<R> rows) {
        Rows table = Rows.of(columns.stream().map(Column::heading).toArray(String[]::new));
        rows.forEach(row ->
                table.add(columns.stream().map(column -> column.cell.apply(row)).toArray()));
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
