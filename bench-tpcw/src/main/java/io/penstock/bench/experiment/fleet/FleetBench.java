package io.penstock.bench.experiment.fleet;

import io.penstock.ConsistencyLevel;
import io.penstock.Penstock;
import io.penstock.Settings;
import io.penstock.bench.program.Figure;
import io.penstock.bench.program.JsonOption;
import io.penstock.bench.program.JsonTarget;
import io.penstock.bench.program.Program;
import io.penstock.cli.program.Shell;
import io.penstock.cli.program.UsageException;
import io.penstock.core.sim.SimulatedClient;
import io.penstock.core.task.Task;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The program behind {@code scripts/bench fleet}. Virtual time: the same figures on every machine, every time. */
@Command(
        name = "bench fleet",
        description = "Measures what many clients of one store cost in the simulated cloud (aws-2026): requests and"
                + " dollars of an open, a close, an idle hour, a recovery; close times of many; the rate at which a"
                + " queue drains. Exit code 1 when a limit is missed.",
        sortOptions = false)
public final class FleetBench extends Program {
    private static final Duration DEAD_WITHIN = Duration.ofDays(28);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final int HOURS_PER_MONTH = 30 * 24;
    private static final int DEAD_MAX = 100_000;
    private static final int PERCENTILE = 99;
    private static final List<Integer> DRAINED = List.of(5_000, 20_000);
    private static final int LEDGER_IDS = 30_000;
    private static final int PLANNED = 200;

    private static final double OPEN_REQUESTS_MAX = 12;
    private static final double IDLE_DOLLARS_MAX = 0.10;
    private static final double CLOSE_SECONDS_MAX = 10;
    private static final double DRAIN_RATE_MIN = 2_500;
    private static final double RECOVERY_REQUESTS_MAX = 25;
    private static final double SEEN_WITHIN_MAX = 2;
    private static final double DEAD_AFTER = 300; // the default, in seconds
    private static final double PLAN_MILLIS_MAX = 20;

    @Option(names = "--dead", split = ",", description = "clients that died in 28 days; default: ${DEFAULT-VALUE}")
    private List<Integer> dead = List.of(10, 100, 1_000, 10_000);

    @Option(names = "--closing", paramLabel = "N", description = "clients that close together; default: 200")
    private int closing = 200;

    @Mixin
    private JsonOption json = new JsonOption();

    private final List<Figure> rows = new ArrayList<>();

    FleetBench(PrintStream out, PrintStream err) {
        super(out, err);
    }

    /** Runs a command line. */
    public static void main(String[] arguments) {
        runAndExit(FleetBench::new, arguments);
    }

    @Override
    public Integer call() {
        dead.forEach(count -> UsageException.requireRange("--dead", count, 1, DEAD_MAX));
        UsageException.requireRange("--closing", closing, 1, DEAD_MAX);
        JsonTarget target = json.target();
        Fleet.run(this::idle);
        Fleet.run(this::recovery);
        Fleet.run(this::closeTogether);
        for (int messages : DRAINED) {
            Fleet.run(fleet -> drain(fleet, messages));
        }
        for (int count : dead) {
            Fleet.run(fleet -> openBeside(fleet, count));
        }
        for (int count : dead) {
            Fleet.run(fleet -> recoverAll(fleet, count));
        }
        limited(
                "plan of " + PLANNED + " messages over a ledger of " + LEDGER_IDS + " ids, CPU",
                new PlanCost(LEDGER_IDS, PLANNED).millis(),
                PLAN_MILLIS_MAX,
                "ms");
        target.write(rows, Figure.table(rows), out);
        return rows.stream().allMatch(Figure::isMet) ? Shell.DONE : failed("a limit is missed");
    }

    private void limited(String name, double measured, double limit, String unit) {
        rows.add(new Figure(name, measured, limit, unit));
    }

    private void cost(String name, Fleet.Meter meter) {
        rows.add(Figure.of(name, meter.requests(), "requests"));
        rows.add(Figure.of(name, meter.dollars(), "dollars"));
    }

    /** A commit, its end, and a day of doing nothing. */
    private void idle(Fleet fleet) {
        Fleet.Meter meter = new Fleet.Meter();
        Settings settings = fleet.settings(fleet.machine()).meters(meter.registry());
        Penstock store = Penstock.open(settings);
        fleet.put(store, "k");
        fleet.sleep(HOUR);
        meter.start();
        fleet.sleep(Duration.ofDays(1));
        rows.add(Figure.of("idle hour", meter.requests() / 24, "requests"));
        limited("idle month", meter.dollars() / 24 * HOURS_PER_MONTH, IDLE_DOLLARS_MAX, "dollars");
        fleet.put(store, "k");
        fleet.sleep(Duration.ofSeconds(1));
        meter.start();
        store.close();
        cost("close after a commit", meter);
    }

    private void recovery(Fleet fleet) {
        fleet.dieAfterACommit(0);
        fleet.sleep(HOUR);
        Fleet.Meter meter = new Fleet.Meter();
        Settings settings = fleet.settings(fleet.machine()).sweeping(false).meters(meter.registry());
        try (Penstock store = Penstock.open(settings)) {
            fleet.sleep(HOUR); // the recovery at open
            store.admin().recover();
            cost("recovery of a dead client", meter);
        }
    }

    /** All dead are recovered by then, and the turn at sweeping is due: the one that opens takes it. */
    private void openBeside(Fleet fleet, int count) {
        SimulatedClient keeper = fleet.machine();
        Penstock kept = Penstock.open(fleet.settings(keeper));
        for (int i = 0; i < count; i++) {
            fleet.dieAfterACommit(i);
            fleet.sleep(DEAD_WITHIN.dividedBy(count));
        }
        fleet.sleep(HOUR);
        kept.close();
        fleet.sleep(HOUR);
        Fleet.Meter meter = new Fleet.Meter();
        try (Penstock store = Penstock.open(fleet.settings(fleet.machine()).meters(meter.registry()))) {
            fleet.records(store).get("dead-0");
            fleet.sleep(Duration.ofMinutes(1));
            String name = "open and read beside " + count + " dead";
            limited(name, meter.requests(), OPEN_REQUESTS_MAX, "requests");
            rows.add(Figure.of(name, meter.dollars(), "dollars"));
        }
    }

    /** All die at once, each with a commit that nobody has seen, beside one client that lives. */
    private void recoverAll(Fleet fleet, int count) {
        Fleet.Meter meter = new Fleet.Meter();
        Settings settings = fleet.settings(fleet.machine()).meters(meter.registry());
        try (Penstock store = Penstock.open(settings)) {
            fleet.sleep(HOUR);
            meter.start();
            fleet.sleep(HOUR);
            double idle = meter.requests();
            meter.start();
            double died = fleet.seconds();
            for (int i = 0; i < count; i++) {
                fleet.dieAfterACommit(i);
            }
            String name = "recovery of " + count + " that died at once";
            limited(name + ", all is seen", fleet.awaitSeen(count) / DEAD_AFTER, SEEN_WITHIN_MAX, "times deadAfter");
            while (fleet.registered() > 1) { // itself
                fleet.sleep(HOUR);
            }
            double work = meter.requests() - idle * (fleet.seconds() - died) / HOUR.toSeconds();
            limited(name, work / count, RECOVERY_REQUESTS_MAX, "requests per client");
        }
    }

    private void closeTogether(Fleet fleet) {
        List<Penstock> stores = new ArrayList<>();
        List<SimulatedClient> clients = new ArrayList<>();
        for (int i = 0; i < closing; i++) {
            SimulatedClient machine = fleet.machine();
            Penstock store = Penstock.open(fleet.settings(machine).level(ConsistencyLevel.ATOMIC));
            clients.add(machine);
            stores.add(store);
        }
        List<Task<Boolean>> commits = new ArrayList<>();
        for (int i = 0; i < closing; i++) {
            int number = i;
            commits.add(clients.get(i).start("commit", () -> fleet.put(stores.get(number), "k" + number)));
        }
        commits.forEach(Task::join);
        List<Double> seconds = new ArrayList<>();
        List<Task<Boolean>> closes = new ArrayList<>();
        for (int i = 0; i < closing; i++) {
            Penstock store = stores.get(i);
            closes.add(clients.get(i).start("close", () -> {
                double start = fleet.seconds();
                store.close();
                seconds.add(fleet.seconds() - start);
            }));
        }
        closes.forEach(Task::join);
        Collections.sort(seconds);
        double p99 = seconds.get((seconds.size() * PERCENTILE - 1) / 100);
        limited("close of " + closing + " together, p99", p99, CLOSE_SECONDS_MAX, "s");
        limited("of " + closing + " that closed together, left on record", fleet.onRecord(), 0, "clients");
    }

    /** One-record messages, which nobody checkpoints before all are there. */
    private void drain(Fleet fleet, int messages) {
        Settings settings = fleet.settings(fleet.machine())
                .level(ConsistencyLevel.MONOTONIC)
                .checkpointing(false);
        try (Penstock writer = Penstock.open(settings)) {
            for (int i = 0; i < messages; i++) {
                fleet.put(writer, "k" + i);
            }
        }
        try (Penstock store = Penstock.open(fleet.settings(fleet.machine()).sweeping(false))) {
            double start = fleet.seconds();
            long records = store.admin().checkpoint().records();
            limited("drain of " + messages, records / (fleet.seconds() - start), DRAIN_RATE_MIN, "messages/s");
        }
    }
}
