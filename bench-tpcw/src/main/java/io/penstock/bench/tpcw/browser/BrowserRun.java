package io.penstock.bench.tpcw.browser;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.penstock.Penstock;
import io.penstock.bench.program.Progress;
import io.penstock.bench.tpcw.anomaly.Anomalies;
import io.penstock.bench.tpcw.anomaly.History;
import io.penstock.bench.tpcw.anomaly.Inspector;
import io.penstock.bench.tpcw.bookstore.Loader;
import io.penstock.bench.tpcw.bookstore.Population;
import io.penstock.bench.tpcw.comparison.Machine;
import io.penstock.bench.tpcw.comparison.Venue;
import io.penstock.bench.tpcw.figures.Usage;
import io.penstock.bench.tpcw.interaction.ShopServer;
import io.penstock.bench.tpcw.interaction.Storefront;
import io.penstock.core.task.Task;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One run on fresh servers, from an empty store to the verdict. For one visit. */
public final class BrowserRun {
    /** The loader and the judge touch every page; theirs is not the pool that is measured. */
    private static final long WIDE_POOL_BYTES = 256L << 20;

    private static final Duration TICK = Duration.ofSeconds(1);
    private static final Duration INSPECT_EVERY = Duration.ofSeconds(2);

    private final RunPlan plan;
    private final Venue.Site site;
    private final Population population;
    private final Progress progress;
    private final History history = new History();
    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final List<Penstock> stores = new ArrayList<>();

    private long storedBytes;

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
        MeterRegistry loading = new SimpleMeterRegistry();
        try (Penstock store = Penstock.open(plan.tune(main.settings())
                .level(Loader.levelFor(plan.level()))
                .poolBytes(WIDE_POOL_BYTES)
                .meters(loading))) {
            new Loader(store, Storefront.open(store).tables(), progress::advance).loadInBulk(population);
        }
        // A load in bulk puts every page once.
        Usage usage = Usage.read(loading, Usage.TRANSACTION).plus(Usage.read(loading, Usage.CHECKPOINT));
        storedBytes = usage.s3In();
    }

    private RunResult browse() {
        List<ShopServer> servers = openServers();
        Tasks clock = site.machine(Machine.MAIN).tasks();
        long from = clock.nanoTime() + plan.load().rampUp().toNanos();
        Answers answers = new Answers(from, from + plan.load().measured().toNanos());
        Map<EmulatedBrowser, Task<Boolean>> browsers = startBrowsers(servers, answers);
        List<Task<Boolean>> running = new ArrayList<>();
        running.add(startInspector(answers));
        waitUntil(clock, from);
        Usage transactionBefore = Usage.read(meters, Usage.TRANSACTION);
        Usage checkpointBefore = Usage.read(meters, Usage.CHECKPOINT);
        if (plan.load().crashAfter() != null) {
            waitUntil(clock, from + plan.load().crashAfter().toNanos());
            crashFirst(servers, browsers, answers);
        }
        waitUntil(clock, answers.toNanos());
        Usage transaction = Usage.read(meters, Usage.TRANSACTION).minus(transactionBefore);
        Usage checkpoint = Usage.read(meters, Usage.CHECKPOINT).minus(checkpointBefore);
        running.addAll(browsers.values());
        running.forEach(Task::join);
        stores.forEach(Penstock::close);
        return judge(answers.tally(), transaction, checkpoint);
    }

    private List<ShopServer> openServers() {
        List<ShopServer> servers = new ArrayList<>();
        for (int i = 0; i < plan.load().servers(); i++) {
            Machine machine = site.machine(serverName(i));
            Penstock store = Penstock.open(plan.tune(machine.settings()).meters(meters));
            stores.add(store);
            servers.add(new ShopServer(store, machine.tasks()));
        }
        return servers;
    }

    private static String serverName(int number) {
        return "server-" + number;
    }

    private Map<EmulatedBrowser, Task<Boolean>> startBrowsers(List<ShopServer> servers, Answers answers) {
        Map<EmulatedBrowser, Task<Boolean>> running = new LinkedHashMap<>();
        for (int number = 0; number < plan.load().browsers(); number++) {
            startBrowser(number, number % servers.size(), servers, answers, running);
        }
        return running;
    }

    private void startBrowser(
            int number,
            int server,
            List<ShopServer> servers,
            Answers answers,
            Map<EmulatedBrowser, Task<Boolean>> running) {
        Tasks tasks = site.machine(serverName(server)).tasks();
        EmulatedBrowser browser =
                new EmulatedBrowser(plan, plan.items(), number, servers.get(server), tasks, history, answers);
        running.put(browser, tasks.fork("browser-" + number, () -> {
            browser.run();
            return true;
        }));
    }

    /** Kills the first server. Its browsers begin new sessions at the others, as other people in their place. */
    private void crashFirst(List<ShopServer> servers, Map<EmulatedBrowser, Task<Boolean>> browsers, Answers answers) {
        site.crash(serverName(0));
        stores.removeFirst();
        List<EmulatedBrowser> all = List.copyOf(browsers.keySet());
        for (int number = 0; number < all.size(); number += servers.size()) {
            EmulatedBrowser orphan = all.get(number);
            orphan.serverDied();
            browsers.remove(orphan);
            int heir = 1 + number / servers.size() % (servers.size() - 1);
            startBrowser(plan.load().browsers() + number, heir, servers, answers, browsers);
        }
    }

    /** A reader beside the browsers, on a machine of its own; nobody pays for it. */
    private Task<Boolean> startInspector(Answers answers) {
        Machine machine = site.machine("inspector");
        Penstock store = Penstock.open(plan.tune(machine.settings()));
        stores.add(store);
        Inspector inspector = new Inspector(store, history);
        Tasks tasks = machine.tasks();
        return tasks.fork("inspector", () -> {
            while (tasks.nanoTime() < answers.toNanos()) {
                inspector.look();
                tasks.sleep(INSPECT_EVERY);
            }
            return true;
        });
    }

    private void waitUntil(Tasks clock, long nanos) {
        for (long left = nanos - clock.nanoTime(); left > 0; left = nanos - clock.nanoTime()) {
            clock.sleep(Duration.ofNanos(Math.min(left, TICK.toNanos())));
            progress.advance(1);
        }
    }

    private RunResult judge(Answers.Tally answers, Usage transaction, Usage checkpoint) {
        Machine main = site.machine(Machine.MAIN);
        try (Penstock store = Penstock.open(plan.tune(main.settings()).poolBytes(WIDE_POOL_BYTES))) {
            long pending = main.settle(store);
            List<String> violations = store.check();
            Anomalies anomalies = Inspector.judge(store, population, history);
            return new RunResult(plan, answers, transaction, checkpoint, anomalies, storedBytes, pending, violations);
        }
    }
}
