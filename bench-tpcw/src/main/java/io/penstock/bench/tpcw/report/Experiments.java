package io.penstock.bench.tpcw.report;

import io.penstock.ConsistencyLevel;
import io.penstock.bench.tpcw.report.Experiment.Column;
import io.penstock.bench.tpcw.report.Experiment.Row;
import io.penstock.bench.tpcw.run.Mix;
import io.penstock.bench.tpcw.run.PaperFigures;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.BinaryOperator;
import java.util.function.Function;

/** The experiments of the report, in its order. */
public final class Experiments {
    private static final Column RATE = new Column("interactions / s", "/rate", 2);
    private static final Column DOLLARS = new Column("$ / 1000", "/costPer1000/total", 6);
    private static final Column LOST = new Column("lost stock updates", "/anomalies/lostStockUpdates", 0);
    private static final Column OVERSOLD = new Column("items oversold", "/anomalies/oversold", 0);
    private static final Column BROKEN = new Column("orders seen without lines", "/anomalies/ordersWithoutLinesNow", 0);
    private static final Column BROKEN_AFTER =
            new Column("orders without lines at the end", "/anomalies/ordersWithoutLinesAfter", 0);
    private static final Column BACK = new Column("reads that went back", "/anomalies/readsBack", 0);
    private static final Column UNSEEN = new Column("own writes not seen", "/anomalies/ownWritesUnseen", 0);
    private static final Column INDEX = new Column("index faults", "/anomalies/indexFaults", 0);
    private static final Column RETRIES = new Column("retries", "/retries", 0);
    private static final Column STALE = new Column("stale reads", "/anomalies/staleness/stale", 0);
    private static final Column STALE_P50 = new Column("staleness p50 s", "/anomalies/staleness/p50Seconds", 3);
    private static final Column STALE_P99 = new Column("staleness p99 s", "/anomalies/staleness/p99Seconds", 3);
    private static final Column SECONDS = new Column("latency, s", "/secondsAvg", 3);
    private static final Column SECONDS_MAX = new Column("max s", "/secondsMax", 3);
    private static final Column OF_TRANSACTION = new Column("transaction", "/costPer1000/transaction", 6);
    private static final Column OF_CHECKPOINT =
            new Column("checkpoint + ATOMIC", "/costPer1000/checkpointAndAtomic", 6);

    private final boolean quick;

    private Experiments(boolean quick) {
        this.quick = quick;
    }

    /** @param quick fewer and shorter runs: minutes instead of hours, and less to learn from them */
    public static List<Experiment> all(boolean quick) {
        Experiments some = new Experiments(quick);
        return List.of(
                some.levels(),
                some.anomalies(),
                some.crash(),
                some.mixes(),
                some.paper("per-leaf", "the paper's layout"),
                some.paper("partitioned", "our layout"),
                some.ranking(),
                some.checkpointIntervals(),
                some.sweep("clients", "Clients", "--browsers", quick ? "1,32" : "1,4,16,64,256"),
                some.sweep("ttl", "TTL", "--ttl", quick ? "1,60" : "1,10,60,100"),
                some.sweep("page-size", "Page size", "--page-bytes", quick ? "16384" : "16384,32768,65536,131072"),
                some.sweep("skew", "Skew", "--zipf", quick ? "0,1" : "0,0.5,1,1.5"));
    }

    private String load() {
        return quick
                ? "--items 100 --scale 1 --minutes 0.5 --ramp-up 10"
                : "--items 1000 --scale 1 --minutes 5 --ramp-up 60";
    }

    private String browsers() {
        return quick ? " --browsers 32" : " --browsers 64";
    }

    private String run(String level, String more) {
        return "run --mix ordering --level " + lower(level) + " " + load() + more;
    }

    private String compare(String options) {
        return "compare --cloud simulated --profile " + options;
    }

    private String few() {
        return quick ? " --transactions 20 --items 200" : "";
    }

    /** A bar for each level. */
    private static List<Row> bars(Function<ConsistencyLevel, Row> row) {
        return Arrays.stream(ConsistencyLevel.values()).map(row).toList();
    }

    /** A line for each level, with a point for each value. */
    private static List<Row> lines(String values, String base, BinaryOperator<String> command) {
        return Arrays.stream(ConsistencyLevel.values())
                .flatMap(level -> Arrays.stream(values.split(","))
                        .map(value ->
                                new Row(level.name(), value, command.apply(level.name(), value), base, List.of())))
                .toList();
    }

    private Experiment levels() {
        return new Experiment(
                "levels",
                "The levels",
                "The ordering mix with items chosen by Zipf's law: what a level costs, how long an order takes, and"
                        + " what goes wrong.",
                "level",
                List.of("promise, in short"),
                List.of(
                        new Column("Buy Confirm, avg s", "/byCode/BUYC/averageSeconds", 3),
                        DOLLARS,
                        LOST,
                        OVERSOLD,
                        BROKEN,
                        UNSEEN,
                        RATE,
                        RETRIES),
                4,
                false,
                bars(level -> new Row(
                        "", level.name(), run(level.name(), browsers() + " --zipf 1"), "", List.of(promise(level)))));
    }

    private Experiment anomalies() {
        return new Experiment(
                "anomalies",
                "Anomalies and staleness",
                "Counted from what every session wrote and read, for each level and number of clients.",
                "browsers",
                List.of(),
                List.of(LOST, STALE, OVERSOLD, BROKEN, BROKEN_AFTER, BACK, UNSEEN, INDEX, STALE_P50, STALE_P99),
                2,
                false,
                lines(
                        quick ? "32" : "16,64",
                        "",
                        (level, browsers) -> run(level, " --browsers " + browsers + " --zipf 1")));
    }

    /** Returns the promise of a level, in a few words; docs/CONSISTENCY.md has the whole of it. */
    private static String promise(ConsistencyLevel level) {
        return switch (level) {
            case NAIVE -> "none: of two writers of a page one may lose";
            case BASIC -> "every acknowledged commit is applied; writers may overwrite what they did not see";
            case MONOTONIC -> "and a session sees its own writes, and never an older state";
            case ATOMIC -> "and a transaction is applied as a whole, in the end";
            case SNAPSHOT -> "reads of one state, no lost update, whole at once";
            case SERIALIZABLE -> "as if one after the other";
        };
    }

    private Experiment crash() {
        String crash = " --zipf 1 --crash-after " + (quick ? "15" : "150");
        return new Experiment(
                "crash",
                "A web server dies in the middle",
                "One of four web servers dies half way; its browsers begin new sessions at the others. What it had"
                        + " acknowledged is found by the others.",
                "level",
                List.of(),
                List.of(RATE, BROKEN_AFTER, LOST, INDEX, BROKEN, UNSEEN, DOLLARS),
                3,
                false,
                bars(level -> new Row("", level.name(), run(level.name(), browsers() + crash), "", List.of())));
    }

    private Experiment mixes() {
        return new Experiment(
                "mixes",
                "The mixes",
                "The three mixes of TPC-W at the level ATOMIC.",
                "mix",
                List.of(),
                List.of(RATE, DOLLARS, RETRIES),
                2,
                false,
                Arrays.stream(Mix.values())
                        .map(mix -> new Row(
                                "",
                                mix.name(),
                                "run --mix " + lower(mix.name()) + " " + load() + browsers(),
                                "",
                                List.of()))
                        .toList());
    }

    /** A row for each level that the paper has. */
    private List<Row> paperRows(String series, String options, Function<PaperFigures, List<Double>> given) {
        List<Row> rows = new ArrayList<>();
        for (ConsistencyLevel level : ConsistencyLevel.values()) {
            PaperFigures.of(level)
                    .ifPresent(paper -> rows.add(new Row(
                            series,
                            level.name(),
                            compare(options) + few(),
                            "/0/rows/" + level.ordinal(),
                            given.apply(paper).stream().map(Object::toString).toList())));
        }
        return rows;
    }

    private Experiment ranking() {
        List<Row> rows = new ArrayList<>();
        for (String profile : List.of("paper-2008", "aws-2026")) {
            for (String layout : List.of("per-leaf", "partitioned")) {
                String name = (layout.equals("per-leaf") ? "the paper's layout" : "our layout") + " on " + profile;
                rows.addAll(paperRows(
                        name,
                        profile + " --layout " + layout,
                        paper -> List.of(paper.averageSeconds(), paper.cost().total())));
            }
        }
        return new Experiment(
                "ranking",
                "Who wins, and what changes the order",
                "The paper's transaction under its conditions and today's.",
                "level",
                List.of("paper: s", "paper: $ / 1000"),
                List.of(SECONDS, new Column("dollars for 1000", DOLLARS.pointer(), DOLLARS.decimals())),
                0,
                true,
                rows);
    }

    private Experiment paper(String layout, String name) {
        return new Experiment(
                "paper-" + layout,
                "The paper's tables 3 and 4, " + name,
                "Brantner et al., SIGMOD 2008, beside the same transaction on the simulated cloud of 2008.",
                "level",
                List.of("paper: s", "max s", "$ / 1000", "transaction", "checkpoint + ATOMIC"),
                List.of(SECONDS, DOLLARS, SECONDS_MAX, OF_TRANSACTION, OF_CHECKPOINT),
                2,
                false,
                paperRows(
                        "",
                        "paper-2008 --layout " + layout,
                        paper -> List.of(
                                paper.averageSeconds(),
                                paper.maxSeconds(),
                                paper.cost().total(),
                                paper.cost().transaction(),
                                paper.cost().checkpointAndAtomic())));
    }

    private Experiment checkpointIntervals() {
        return new Experiment(
                "checkpoint-interval",
                "The paper's figure 3: cost against the checkpoint interval",
                "The paper: below about 10 s every update triggers a checkpoint; the cost falls from there and is flat"
                        + " after about 20 s. NAIVE has no checkpoints.",
                "interval, s",
                List.of(),
                List.of(DOLLARS, OF_TRANSACTION, OF_CHECKPOINT),
                1,
                false,
                lines(
                        quick ? "5,20" : "2,5,10,15,20,30,60",
                        "/0/rows/0",
                        (level, seconds) -> compare("paper-2008 --layout per-leaf --levels " + level
                                        + " --checkpoint-interval " + seconds)
                                + (quick ? few() : " --transactions 100")));
    }

    private Experiment sweep(String id, String title, String option, String values) {
        String others = option.equals("--browsers") ? " --zipf 1" : browsers();
        return new Experiment(
                id,
                "Sweep: " + lower(title),
                "The ordering mix with scripts/tpcw run " + option + ".",
                option,
                List.of(),
                List.of(DOLLARS, LOST, RATE, RETRIES, STALE_P99),
                3,
                false,
                lines(values, "", (level, value) -> run(level, " " + option + " " + value + others)));
    }

    private static String lower(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
