package io.penstock.bench.tpcw.browser;

import io.penstock.Penstock;
import io.penstock.bench.program.Progress;
import io.penstock.bench.tpcw.anomaly.Anomalies;
import io.penstock.bench.tpcw.anomaly.History;
import io.penstock.bench.tpcw.anomaly.Inspector;
import io.penstock.bench.tpcw.anomaly.SessionEvent;
import io.penstock.bench.tpcw.bookstore.Loader;
import io.penstock.bench.tpcw.bookstore.Population;
import io.penstock.bench.tpcw.farm.Farm;
import io.penstock.bench.tpcw.farm.Machine;
import io.penstock.bench.tpcw.farm.Venue;
import io.penstock.bench.tpcw.interaction.Storefront;
import io.penstock.core.task.Task;
import io.penstock.core.task.Tasks;
import io.penstock.report.StoreStats;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** One run on fresh servers, from an empty store to the verdict. For one visit. */
public final class BrowserRun {
    /** The loader and the judge touch every page; theirs is not the pool that is measured. */
    private static final long WIDE_POOL_BYTES = 256L << 20;

    /** Folders of the store that grow with what is in it. */
    private static final Set<String> STORED = Set.of("pages", "overflow");

    private static final Duration INSPECT_EVERY = Duration.ofSeconds(2);

    private final RunPlan plan;
    private final Venue.Site site;
    private final Population population;
    private final Progress progress;
    private final History history = new History();
    private final List<Consumer<SessionEvent>> witnesses = new CopyOnWriteArrayList<>(List.of(history));
    private final Queue<SessionEvent> untold = new ConcurrentLinkedQueue<>();

    private long filledBytes;

    private BrowserRun(RunPlan plan, Venue.Site site, Progress progress) {
        this.plan = plan;
        this.site = site;
        this.population = plan.population();
        this.progress = progress;
    }

    public static RunResult run(RunPlan plan, Venue venue, String visit, Progress progress) {
        long seconds = plan.load().rampUp().plus(plan.load().measured()).toSeconds();
        progress.begin(
                plan.load().mix() + " " + plan.level() + ": filling the shop",
                plan.population().rows());
        RunResult result = venue.visit(visit, site -> {
            BrowserRun run = new BrowserRun(plan, site, progress);
            run.load();
            progress.begin(plan.load().mix() + " " + plan.level() + ": browsing", seconds);
            return run.browse();
        });
        progress.end();
        return result;
    }

    private void load() {
        Machine main = site.machine(Machine.MAIN);
        try (Penstock store = Penstock.open(
                plan.tune(main.settings()).level(Loader.levelFor(plan.level())).poolBytes(WIDE_POOL_BYTES))) {
            new Loader(store, Storefront.open(store).tables(), progress::advance).loadInBulk(population);
            main.settle(store);
            filledBytes = storedBytes(store);
        }
    }

    private static long storedBytes(Penstock store) {
        return store.admin().inspect().stats().kinds().stream()
                .filter(kind -> STORED.contains(kind.folder()))
                .mapToLong(StoreStats.Objects::bytes)
                .sum();
    }

    private RunResult browse() {
        Tasks clock = site.machine(Machine.MAIN).tasks();
        Answers answers;
        Farm.Bill bill;
        try (Farm farm = Farm.open(plan, site, clock, this::keep)) {
            long from = clock.nanoTime() + plan.load().rampUp().toNanos();
            Farm.Interval interval = Farm.Interval.of(plan, from);
            answers = new Answers(interval.fromNanos(), interval.toNanos());
            witnesses.add(answers);
            Task<Boolean> inspection = startInspector(interval);
            bill = farm.work(interval, progress);
            inspection.join();
            farm.finish();
        }
        tellInOrder();
        return judge(answers.tally(), bill);
    }

    /**
     * Keeps an event. Events of one process are passed on as they come; those of several must be put in order first.
     */
    private void keep(SessionEvent event) {
        if (site.remote().isEmpty()) {
            witnesses.forEach(witness -> witness.accept(event));
        } else {
            untold.add(event);
        }
    }

    private void tellInOrder() {
        untold.stream()
                .sorted(Comparator.comparingLong(SessionEvent::nanos))
                .forEach(event -> witnesses.forEach(witness -> witness.accept(event)));
    }

    /** A reader beside the browsers, on a machine of its own; its requests are not billed. */
    private Task<Boolean> startInspector(Farm.Interval interval) {
        Machine machine = site.machine("inspector");
        Tasks tasks = machine.tasks();
        Penstock store = Penstock.open(plan.tune(machine.settings()));
        Inspector inspector = new Inspector(store, tasks, this::keep);
        return tasks.fork("inspector", () -> {
            try (store) {
                while (tasks.nanoTime() < interval.toNanos()) {
                    inspector.look();
                    tasks.sleep(INSPECT_EVERY);
                }
                return true;
            }
        });
    }

    private RunResult judge(Answers.Tally answers, Farm.Bill bill) {
        Machine main = site.machine(Machine.MAIN);
        try (Penstock store = Penstock.open(plan.tune(main.settings()).poolBytes(WIDE_POOL_BYTES))) {
            long pending = main.settle(store);
            List<String> violations = store.admin().verify().violations();
            Anomalies anomalies = Inspector.judge(store, population, history);
            RunResult.Stored stored = new RunResult.Stored(filledBytes, storedBytes(store));
            return new RunResult(
                    plan, answers, bill.transaction(), bill.checkpoint(), anomalies, stored, pending, violations);
        }
    }
}
