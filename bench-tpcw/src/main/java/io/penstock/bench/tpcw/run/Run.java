package io.penstock.bench.tpcw.run;

import io.penstock.Entry;
import io.penstock.KeySpan;
import io.penstock.Keys.Pair;
import io.penstock.Penstock;
import io.penstock.Scan;
import io.penstock.Session;
import io.penstock.Transaction;
import io.penstock.bench.program.Progress;
import io.penstock.bench.tpcw.bookstore.Bookstore;
import io.penstock.bench.tpcw.bookstore.Loader;
import io.penstock.bench.tpcw.bookstore.Order;
import io.penstock.bench.tpcw.bookstore.OrderLine;
import io.penstock.bench.tpcw.bookstore.Population;
import io.penstock.bench.tpcw.bookstore.Storefront;
import io.penstock.core.ConflictException;
import io.penstock.core.UnavailableException;
import io.penstock.core.task.Task;
import io.penstock.core.task.Tasks;
import io.penstock.report.StoreStats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** One run on fresh servers, from an empty store to the verdict. For one visit. */
public final class Run {
    /** The loader and the judge touch every page; theirs is not the pool that is measured. */
    private static final long WIDE_POOL_BYTES = 256L << 20;

    /** Folders of the store that grow with what is in it. */
    private static final Set<String> STORED = Set.of("pages", "overflow");

    private static final Duration INSPECT_EVERY = Duration.ofSeconds(2);
    private static final int LATEST = 20;

    private final RunPlan plan;
    private final Venue.Site site;
    private final Machine main;
    private final Population population;
    private final Progress progress;
    private final History history = new History();
    private final List<Consumer<SessionEvent>> witnesses = new CopyOnWriteArrayList<>(List.of(history));
    private final Queue<SessionEvent> untold = new ConcurrentLinkedQueue<>();

    private Run(RunPlan plan, Venue.Site site, Progress progress) {
        this.plan = plan;
        this.site = site;
        this.main = site.machine(Machine.MAIN);
        this.population = plan.population();
        this.progress = progress;
    }

    /** Runs emulated browsers. */
    public static RunResult browse(RunPlan plan, Venue venue, String visit, Progress progress) {
        String title = plan.browsing().mix() + " " + plan.level();
        progress.begin(title + ": filling the shop", plan.population().rows());
        RunResult result = venue.visit(visit, site -> new Run(plan, site, progress).browse(title));
        progress.end();
        return result;
    }

    /**
     * Runs the paper's transaction by each of some plans, one after the other. Each has its own servers; plans that
     * differ in nothing but the level have the same population and the same purchases.
     */
    public static List<LevelResult> compare(List<RunPlan> plans, Venue venue, Progress progress) {
        List<LevelResult> results = new ArrayList<>();
        for (RunPlan plan : plans) {
            progress.begin(
                    plan.cloud() + " " + plan.layoutName() + " " + plan.level(),
                    plan.population().rows() + plan.buying().transactions());
            String visit = plan.level().name().toLowerCase(Locale.ROOT);
            results.add(venue.visit(visit, site -> new Run(plan, site, progress).buy()));
        }
        progress.end();
        return results;
    }

    /** Opens the empty store to fill it. */
    private Penstock openEmpty() {
        return Penstock.open(
                plan.tune(main.settings()).level(Loader.levelFor(plan.level())).poolBytes(WIDE_POOL_BYTES));
    }

    private Penstock openToJudge() {
        return Penstock.open(plan.tune(main.settings()).poolBytes(WIDE_POOL_BYTES));
    }

    private LevelResult buy() {
        try (Penstock store = openEmpty()) {
            new Loader(store, Bookstore.open(store), progress::advance).load(population);
        }
        Verification verification = new Verification(population);
        Tasks clock = main.tasks();
        try (Farm farm = Farm.open(plan, site, clock, event -> {
            verification.accept(event);
            progress.advance(1);
        })) {
            Farm.Bill bill = farm.work(Farm.Interval.of(plan, clock.nanoTime()), progress);
            Farm.Closing closing = farm.finish();
            try (Penstock store = openToJudge()) {
                long pending = main.settle(store);
                List<String> violations = store.admin().verify().violations();
                return verification.judge(plan, bill, closing, Bookstore.open(store), pending, violations);
            }
        }
    }

    private RunResult browse(String title) {
        RunPlan.Browsing load = plan.browsing();
        long filled;
        try (Penstock store = openEmpty()) {
            new Loader(store, Storefront.open(store).tables(), progress::advance).loadInBulk(population);
            main.settle(store);
            filled = storedBytes(store);
        }
        progress.begin(title + ": browsing", load.rampUp().plus(load.measured()).toSeconds());
        Tasks clock = main.tasks();
        Answers answers;
        Farm.Bill bill;
        try (Farm farm = Farm.open(plan, site, clock, this::keep)) {
            Farm.Interval interval =
                    Farm.Interval.of(plan, clock.nanoTime() + load.rampUp().toNanos());
            answers = new Answers(interval.fromNanos(), interval.toNanos());
            witnesses.add(answers);
            Task<Boolean> inspection = startInspector(interval);
            bill = farm.work(interval, progress);
            inspection.join();
            farm.finish();
        }
        untold.stream()
                .sorted(Comparator.comparingLong(SessionEvent::nanos))
                .forEach(event -> witnesses.forEach(witness -> witness.accept(event)));
        try (Penstock store = openToJudge()) {
            long pending = main.settle(store);
            List<String> violations = store.admin().verify().violations();
            Anomalies anomalies = history.judge(store, population);
            RunResult.Stored stored = new RunResult.Stored(filled, storedBytes(store));
            return new RunResult(plan, answers.tally(), bill, anomalies, stored, pending, violations);
        }
    }

    private static long storedBytes(Penstock store) {
        return store.admin().inspect().stats().kinds().stream()
                .filter(kind -> STORED.contains(kind.folder()))
                .mapToLong(StoreStats.Objects::bytes)
                .sum();
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

    /**
     * A reader beside the browsers, who looks, in one transaction, whether the latest orders have all of their lines.
     * It is on a machine of its own, and its requests are not billed.
     */
    private Task<Boolean> startInspector(Farm.Interval interval) {
        Machine machine = site.machine("inspector");
        Tasks tasks = machine.tasks();
        Penstock store = Penstock.open(plan.tune(machine.settings()));
        Session session = store.newSession();
        Storefront shop = Storefront.open(store);
        return tasks.fork("inspector", () -> {
            try (store) {
                while (tasks.nanoTime() < interval.toNanos()) {
                    try {
                        session.transact(tx -> linesOfLatest(shop, tx))
                                .forEach((order, lines) -> keep(
                                        new SessionEvent(tasks.nanoTime(), new SessionEvent.OrderSeen(order, lines))));
                    } catch (ConflictException | UnavailableException next) {
                        // It is not counted; the next look comes soon.
                    }
                    tasks.sleep(INSPECT_EVERY);
                }
                return true;
            }
        });
    }

    private static Map<Long, Integer> linesOfLatest(Storefront shop, Transaction tx) {
        Map<Long, Integer> lines = new HashMap<>();
        long first = Long.MAX_VALUE;
        try (Scan<Entry<Long, Order>> orders =
                tx.scan(shop.tables().orders(), KeySpan.all().reversed().limit(LATEST))) {
            while (orders.hasNext()) {
                first = orders.next().key();
                lines.put(first, 0);
            }
        }
        try (Scan<Entry<Pair<Long, Long>, OrderLine>> found =
                tx.scan(shop.tables().orderLines(), KeySpan.from(new Pair<>(first, 0L)))) {
            found.forEachRemaining(line -> lines.computeIfPresent(line.key().first(), (order, seen) -> seen + 1));
        }
        return lines;
    }
}
