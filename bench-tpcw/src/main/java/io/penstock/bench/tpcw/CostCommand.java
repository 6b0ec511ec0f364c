package io.penstock.bench.tpcw;

import io.penstock.ConsistencyLevel;
import io.penstock.Layout;
import io.penstock.bench.program.JsonTarget;
import io.penstock.bench.program.Program;
import io.penstock.bench.program.Rows;
import io.penstock.bench.tpcw.bookstore.Scale;
import io.penstock.bench.tpcw.run.Mix;
import io.penstock.bench.tpcw.run.MonthlyBill;
import io.penstock.bench.tpcw.run.Prices;
import io.penstock.bench.tpcw.run.Profiles;
import io.penstock.bench.tpcw.run.Run;
import io.penstock.bench.tpcw.run.RunPlan;
import io.penstock.bench.tpcw.run.RunResult;
import io.penstock.bench.tpcw.run.SimulatedVenue;
import io.penstock.bench.tpcw.run.Tuning;
import io.penstock.cli.program.Shell;
import io.penstock.cli.program.UsageException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code tpcw cost}: what the bookstore would cost in a month. It measures the requests of a simulated run at about the
 * wanted rate, once as it is and once for each thing to turn.
 */
@Command(
        name = "cost",
        description = "Estimates the monthly bill of the bookstore, and what three settings would save.",
        sortOptions = false)
final class CostCommand extends Program {
    /** A browser asks for a page every seven seconds. */
    private static final int SECONDS_PER_PAGE = 7;

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration RAMP_UP = MINUTE;
    private static final Duration MEASURED = Duration.ofSeconds(120);
    private static final int TPS_MAX = 1_000;
    private static final int MONTHS_MAX = 1_200;
    private static final int SCALE_MAX = 10;

    @Option(names = "--mix", paramLabel = "M", description = "${COMPLETION-CANDIDATES}; default: shopping")
    private Mix mix = Mix.SHOPPING;

    @Option(names = "--tps", paramLabel = "N", description = "interactions a second; default: 20")
    private BigDecimal tps = BigDecimal.valueOf(20);

    @Option(names = "--level", paramLabel = "L", description = "${COMPLETION-CANDIDATES}; default: ATOMIC")
    private ConsistencyLevel level = ConsistencyLevel.ATOMIC;

    @Option(names = "--items", paramLabel = "N", description = "rows in ITEM; default: 10000")
    private int items = 10_000;

    @Option(names = "--months", paramLabel = "N", description = "default: 1")
    private BigDecimal months = BigDecimal.ONE;

    @Option(
            names = "--prices",
            paramLabel = "P",
            description =
                    "paper-2008, aws-2026, express-2026, gcs-2026, azure-2026, free, a JSON file of your own, or a"
                            + " profile of scripts/bench calibrate; default: aws-2026")
    private String prices = "aws-2026";

    @Option(names = "--seed", paramLabel = "N", description = "default: 1")
    private long seed = 1;

    @Mixin
    private JsonTarget json = new JsonTarget();

    /**
     * One thing that an operator can turn.
     *
     * @param what it does to whom
     * @param option of {@code scripts/tpcw run} that does it
     */
    private record Turn(String what, String option, UnaryOperator<RunPlan> change) {}

    private static final List<Turn> TURNS = List.of(
            new Turn(
                    "checkpoint once a minute: others see changes later",
                    "--checkpoint-interval 60",
                    plan -> plan.with(
                            plan.load(), plan.tuning().with(plan.tuning().ttl(), MINUTE))),
            new Turn(
                    "trust pooled pages for a minute: reads may be older",
                    "--ttl 60",
                    plan -> plan.with(
                            plan.load(),
                            plan.tuning().with(MINUTE, plan.tuning().checkpointInterval()))),
            new Turn(
                    "one web server instead of several: one pool, one writer",
                    "--servers 1",
                    plan -> plan.with(plan.browsing().onOneServer(), plan.tuning())));

    /** The names of the fields are an interface. */
    record Report(
            String mix,
            String level,
            double tps,
            double months,
            String prices,
            MonthlyBill bill,
            List<Saving> savings) {}

    record Saving(String what, String option, double dollars, double percent) {}

    @Override
    public Integer call() {
        json.check();
        requireRange("--tps", tps, TPS_MAX);
        requireRange("--months", months, MONTHS_MAX);
        Prices list = Prices.of(prices);
        RunPlan plan = plan(list);
        MonthlyBill bill = bill(plan, list);
        List<Saving> savings = new ArrayList<>();
        for (Turn turn : TURNS) {
            double saved = bill.total() - bill(turn.change.apply(plan), list).total();
            savings.add(new Saving(turn.what, turn.option, saved, 100 * saved / bill.total()));
        }
        savings.sort(Comparator.comparingDouble(saving -> -saving.dollars));
        Report report = new Report(
                mix.name().toLowerCase(Locale.ROOT),
                level.name().toLowerCase(Locale.ROOT),
                tps.doubleValue(),
                months.doubleValue(),
                list.name(),
                bill,
                savings);
        json.write(report, text(report, list), out);
        return Shell.DONE;
    }

    private static void requireRange(String option, BigDecimal value, int max) {
        if (value.signum() <= 0 || value.compareTo(BigDecimal.valueOf(max)) > 0) {
            throw new UsageException(option + " is out of range; give more than 0, up to " + max + ", not " + value);
        }
    }

    private RunPlan plan(Prices list) {
        int browsers = Math.max(1, (int) Math.round(tps.doubleValue() * SECONDS_PER_PAGE));
        RunPlan.Browsing load = new RunPlan.Browsing(
                mix,
                browsers,
                Math.min(4, browsers),
                RAMP_UP,
                MEASURED,
                new Scale(Math.min(SCALE_MAX, browsers), items),
                0,
                null);
        return new RunPlan(
                Profiles.behind(prices).name(),
                list.requests(),
                Layout.partitioned(1),
                level,
                load,
                Tuning.TODAY,
                seed);
    }

    private MonthlyBill bill(RunPlan plan, Prices list) {
        RunResult run = Run.browse(plan, new SimulatedVenue(Profiles.behind(prices), seed), "cost", progress);
        return MonthlyBill.of(run, list, tps.doubleValue(), months.doubleValue());
    }

    private static String text(Report report, Prices list) {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "%s mix, %s, %s interactions a second: $%,.2f for %s months%nprices: %s (%s)%n%n",
                report.mix,
                report.level,
                plain(report.tps),
                report.bill.total(),
                plain(report.months),
                list.name(),
                list.source()));
        Rows parts = Rows.of("part", "$", "%");
        for (MonthlyBill.Part part : report.bill.parts()) {
            parts.add(part.name(), money(part.dollars()), money(part.percent()));
        }
        Rows savings = Rows.of("turn", "option", "saves $", "%");
        for (Saving saving : report.savings) {
            savings.add(saving.what, saving.option, money(saving.dollars), money(saving.percent));
        }
        return text.append(parts).append('\n').append(savings).toString();
    }

    private static String plain(double value) {
        return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }

    private static String money(double value) {
        return String.format(Locale.ROOT, "%,.2f", value);
    }
}
