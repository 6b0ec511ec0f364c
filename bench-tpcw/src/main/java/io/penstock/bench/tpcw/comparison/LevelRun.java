package io.penstock.bench.tpcw.comparison;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.penstock.bench.tpcw.bookstore.Bookstore;
import io.penstock.bench.tpcw.bookstore.Loader;
import io.penstock.bench.tpcw.bookstore.Population;
import io.penstock.commit.ConsistencyLevel;
import io.penstock.commit.Penstock;
import io.penstock.commit.Settings;
import io.penstock.core.StoreException;
import io.penstock.core.task.Task;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** One level on fresh servers, from an empty store to the verdict. For one visit. */
final class LevelRun {
    /** The loader and the verifier touch every page; theirs is not the pool that is measured. */
    private static final long WIDE_POOL_BYTES = 256L << 20;

    /** Rounds of checkpoints before a backlog is called stuck: with their pauses, more than any lease lasts. */
    private static final int ROUNDS_MAX = 16;

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    private final Scenario scenario;
    private final ConsistencyLevel level;
    private final Venue.Site site;
    private final Population population;
    private final Progress progress;
    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final List<String> notes = new ArrayList<>();

    LevelRun(Scenario scenario, ConsistencyLevel level, Venue.Site site, Population population, Progress progress) {
        this.scenario = scenario;
        this.level = level;
        this.site = site;
        this.population = population;
        this.progress = progress;
    }

    LevelResult run() {
        load();
        List<Machine> machines = new ArrayList<>();
        for (int client = 0; client < scenario.load().clients(); client++) {
            machines.add(site.machine("client-" + client));
        }
        List<Shopper> shoppers = onEach(machines, client -> open(machines.get(client)));
        Usage transactionBefore = Usage.read(meters, Usage.TRANSACTION);
        Usage checkpointBefore = Usage.read(meters, Usage.CHECKPOINT);
        List<Tally> tallies =
                onEach(machines, client -> shoppers.get(client).shop(population, scenario.load(), client, progress));
        Usage transaction = Usage.read(meters, Usage.TRANSACTION).minus(transactionBefore);
        notes.addAll(onEach(machines, client -> close(shoppers.get(client))));
        notes.removeIf(String::isEmpty);
        Usage checkpoint = Usage.read(meters, Usage.CHECKPOINT).minus(checkpointBefore);
        Tally all = new Tally();
        tallies.forEach(all::add);
        return judge(all, transaction, checkpoint);
    }

    private void load() {
        Settings settings = site.machine(Machine.MAIN).settings();
        try (Penstock store =
                Penstock.open(scenario.tune(settings, ConsistencyLevel.NAIVE).poolBytes(WIDE_POOL_BYTES))) {
            new Loader(store, Bookstore.open(store), progress::advance).load(population);
        }
    }

    private Shopper open(Machine machine) {
        Settings settings = scenario.tune(machine.settings(), level).meters(meters);
        return new Shopper(Penstock.open(settings), machine.tasks());
    }

    /** What went wrong, or nothing. A store that could not drain in time still is to be looked at. */
    private static String close(Shopper shopper) {
        try {
            shopper.close();
            return "";
        } catch (StoreException e) {
            return "close: " + e.getMessage();
        }
    }

    @FunctionalInterface
    private interface OfClient<T> {
        T apply(int client);
    }

    /** Runs {@code work} on all machines at once, each with its own tasks. */
    private static <T> List<T> onEach(List<Machine> machines, OfClient<T> work) {
        List<Task<T>> running = new ArrayList<>();
        for (int i = 0; i < machines.size(); i++) {
            int client = i;
            Supplier<T> body = () -> work.apply(client);
            running.add(machines.get(i).tasks().fork("client-" + client, body));
        }
        return running.stream().map(Task::join).toList();
    }

    private LevelResult judge(Tally tally, Usage transaction, Usage checkpoint) {
        Machine main = site.machine(Machine.MAIN);
        try (Penstock store =
                Penstock.open(scenario.tune(main.settings(), level).poolBytes(WIDE_POOL_BYTES))) {
            long pending = settle(store, main.tasks());
            List<String> violations = store.check();
            Verification verification = new Verification(Bookstore.open(store), population, tally);
            return new LevelResult(
                    level,
                    tally.acknowledged().size(),
                    tally.failures(),
                    tally.unknown().size(),
                    Latencies.of(tally.nanos()),
                    transaction,
                    checkpoint,
                    verification.lostUpdates(),
                    verification.lostStockUpdates(),
                    pending,
                    violations,
                    List.copyOf(notes));
        }
    }

    /** Applies what is pending and returns what is left of it, normally nothing. */
    static long settle(Penstock store, Tasks tasks) {
        Duration pause = FIRST_PAUSE;
        for (int round = 0; round < ROUNDS_MAX; round++) {
            store.recover();
            store.checkpoint();
            if (store.backlog().total() == 0) {
                return 0;
            }
            tasks.sleep(pause);
            pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
        }
        return store.backlog().total();
    }
}
