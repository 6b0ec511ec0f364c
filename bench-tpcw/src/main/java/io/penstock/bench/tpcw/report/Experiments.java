package io.penstock.bench.tpcw.report;

import io.penstock.ConsistencyLevel;
import io.penstock.bench.tpcw.report.Experiment.Column;
import io.penstock.bench.tpcw.report.Experiment.Row;
import io.penstock.bench.tpcw.run.Mix;
import io.penstock.bench.tpcw.run.PaperFigures;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

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

    private String run(ConsistencyLevel level, String more) {
        return "run --mix ordering --level " + lower(level) + " " + load() + more;
    }

    private Experiment levels() {
        List<Row> rows = new ArrayList<>();
        for (ConsistencyLevel level : ConsistencyLevel.values()) {
            String command = run(level, browsers() + " --zipf 1");
            rows.add(new Row("", level.name(), command, "", List.of(promise(level))));
        }
        List<Column> columns = List.of(
                new Column("Buy Confirm, avg s", "/byCode/BUYC/averageSeconds", 3),
                DOLLARS,
                LOST,
                OVERSOLD,
                BROKEN,
                UNSEEN,
                RATE,
                RETRIES);
        return new Experiment(
                "levels",
                "The levels",
                "The ordering mix with items chosen by Zipf's law: what a level costs, how long an order takes, and"
                        + " what goes wrong.",
                "level",
                List.of("promise, in short"),
                columns,
                4,
                rows);
    }

    private Experiment anomalies() {
        List<Row> rows = new ArrayList<>();
        for (ConsistencyLevel level : ConsistencyLevel.values()) {
            for (String browsers : (quick ? "32" : "16,64").split(",")) {
                String command = run(level, " --browsers " + browsers + " --zipf 1");
                rows.add(new Row(level.name(), browsers, command, "", List.of()));
            }
        }
        return new Experiment(
                "anomalies",
                "Anomalies and staleness",
                "Counted from what every session wrote and read, for each level and number of clients.",
                "browsers",
                List.of(),
                List.of(LOST, STALE, OVERSOLD, BROKEN, BROKEN_AFTER, BACK, UNSEEN, INDEX, STALE_P50, STALE_P99),
                2,
                rows);
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
        List<Row> rows = new ArrayList<>();
        for (ConsistencyLevel level : ConsistencyLevel.values()) {
            rows.add(new Row("", level.name(), run(level, browsers() + crash), "", List.of()));
        }
        return new Experiment(
                "crash",
                "A web server dies in the middle",
                "One of four web servers dies half way; its browsers begin new sessions at the others. What it had"
                        + " acknowledged is found by the others.",
                "level",
                List.of(),
                List.of(RATE, BROKEN_AFTER, LOST, INDEX, BROKEN, UNSEEN, DOLLARS),
                3,
                rows);
    }

    private Experiment ranking() {
        List<Row> rows = new ArrayList<>();
        for (String conditions : List.of(
                "paper-2008 --layout per-leaf",
                "paper-2008 --layout partitioned",
                "aws-2026 --layout per-leaf",
                "aws-2026 --layout partitioned")) {
            String[] words = conditions.split(" ");
            String name = (words[2].equals("per-leaf") ? "the paper's layout" : "our layout") + " on " + words[0];
            for (ConsistencyLevel level : ConsistencyLevel.values()) {
                PaperFigures.of(level)
                        .ifPresent(paper -> rows.add(new Row(
                                name,
                                level.name(),
                                comparison(words[0], words[2]),
                                "/0/rows/" + level.ordinal(),
                                List.of(
                                        Double.toString(paper.averageSeconds()),
                                        Double.toString(paper.cost().total())))));
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
                rows,
                Ranking::sentences);
    }

    private String comparison(String profile, String layout) {
        return "compare --cloud simulated --profile " + profile + " --layout " + layout
                + (quick ? " --transactions 20 --items 200" : "");
    }

    private Experiment mixes() {
        List<Row> rows = new ArrayList<>();
        for (Mix mix : Mix.values()) {
            String command = "run --mix " + lower(mix) + " " + load() + browsers();
            rows.add(new Row("", mix.name(), command, "", List.of()));
        }
        return new Experiment(
                "mixes",
                "The mixes",
                "The three mixes of TPC-W at the level ATOMIC.",
                "mix",
                List.of(),
                List.of(RATE, DOLLARS, RETRIES),
                2,
                rows);
    }

    private Experiment paper(String layout, String name) {
        String command = comparison("paper-2008", layout);
        List<Row> rows = new ArrayList<>();
        for (ConsistencyLevel level : ConsistencyLevel.values()) {
            PaperFigures.of(level)
                    .ifPresent(paper -> rows.add(new Row(
                            "",
                            level.name(),
                            command,
                            "/0/rows/" + level.ordinal(),
                            List.of(
                                    Double.toString(paper.averageSeconds()),
                                    Double.toString(paper.maxSeconds()),
                                    Double.toString(paper.cost().total()),
                                    Double.toString(paper.cost().transaction()),
                                    Double.toString(paper.cost().checkpointAndAtomic())))));
        }
        return new Experiment(
                "paper-" + layout,
                "The paper's tables 3 and 4, " + name,
                "Brantner et al., SIGMOD 2008, beside the same transaction on the simulated cloud of 2008.",
                "level",
                List.of("paper: s", "max s", "$ / 1000", "transaction", "checkpoint + ATOMIC"),
                List.of(SECONDS, DOLLARS, SECONDS_MAX, OF_TRANSACTION, OF_CHECKPOINT),
                2,
                rows);
    }

    private Experiment checkpointIntervals() {
        List<Row> rows = new ArrayList<>();
        for (ConsistencyLevel level : ConsistencyLevel.values()) {
            for (String seconds : (quick ? "5,20" : "2,5,10,15,20,30,60").split(",")) {
                String command = "compare --cloud simulated --profile paper-2008 --layout per-leaf --levels " + level
                        + " --checkpoint-interval " + seconds
                        + (quick ? " --transactions 20 --items 200" : " --transactions 100");
                rows.add(new Row(level.name(), seconds, command, "/0/rows/0", List.of()));
            }
        }
        return new Experiment(
                "checkpoint-interval",
                "The paper's figure 3: cost against the checkpoint interval",
                "The paper: below about 10 s every update triggers a checkpoint; the cost falls from there and is flat"
                        + " after about 20 s. NAIVE has no checkpoints.",
                "interval, s",
                List.of(),
                List.of(DOLLARS, OF_TRANSACTION, OF_CHECKPOINT),
                1,
                rows);
    }

    private Experiment sweep(String id, String title, String option, String values) {
        List<Row> rows = new ArrayList<>();
        for (ConsistencyLevel level : ConsistencyLevel.values()) {
            for (String value : values.split(",")) {
                String others = option.equals("--browsers") ? " --zipf 1" : browsers();
                rows.add(new Row(level.name(), value, run(level, " " + option + " " + value + others), "", List.of()));
            }
        }
        return new Experiment(
                id,
                "Sweep: " + title.toLowerCase(Locale.ROOT),
                "The ordering mix with scripts/tpcw run " + option + ".",
                option,
                List.of(),
                List.of(DOLLARS, LOST, RATE, RETRIES, STALE_P99),
                3,
                rows);
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
