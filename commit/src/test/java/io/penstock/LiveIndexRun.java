package io.penstock;

import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.penstock.core.CorruptDataException;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.Stamp;
import io.penstock.core.StoreException;
import io.penstock.core.task.Task;
import io.penstock.report.Backlog;
import io.penstock.report.RecoveryReport;
import io.penstock.report.ScrubReport;
import io.penstock.testkit.CallWatcher;
import io.penstock.testkit.CrashedException;
import io.penstock.testkit.Profile;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.SimulatedCloud;
import io.penstock.testkit.Simulation;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A run in which clients with old and with new definitions of a collection write to it while an index is built,
 * scrubbed, dropped and rebuilt, and leaves are merged. Any client may crash or freeze at any call, and queues
 * duplicate and reorder. In the end the index must agree with the collection. A pure function of its seed.
 */
final class LiveIndexRun {
    private static final int STRIKE_CALLS_MAX = 400;
    private static final int OPEN_ATTEMPTS = 5;
    private static final int BUILD_ATTEMPTS = 40;
    private static final int JOINED_PERCENT_MAX = 130;
    private static final int SETTLE_ROUNDS_MAX = 200;

    private final SplittableRandom random;
    /** ATOMIC most of all. Not NAIVE, which promises nothing for indexes. */
    static final List<ConsistencyLevel> LEVELS = List.of(
            ConsistencyLevel.ATOMIC, ConsistencyLevel.ATOMIC, ConsistencyLevel.MONOTONIC, ConsistencyLevel.BASIC);

    private final Simulation simulation;
    private final SimulatedCloud cloud;
    private final World world;
    private final Drawn drawn;
    private final Map<String, Strike> strikes = new HashMap<>();
    private final List<String> broken = new ArrayList<>();
    private final List<String> story = new ArrayList<>();

    /** The number of transactions below ATOMIC that may have written a key without its index entries. */
    private final Map<String, Integer> halfWritten = new HashMap<>();

    private final Map<String, Stamp> acknowledged = new TreeMap<>();
    private int machines;
    private int transactions;

    /** The rare cases that this run has met, so that a test can check that all are met. */
    private final Set<String> seen = new HashSet<>();

    private record Drawn(
            ConsistencyLevel level,
            Layout layout,
            int pageBytes,
            int keys,
            Duration ttl,
            Duration lease,
            Duration interval,
            boolean dropped,
            boolean madeWithIndex,
            boolean populated,
            double crashes,
            double freezes) {}

    private record Strike(int call, CallWatcher.Step step, boolean crash, Duration length) {}

    /** The outcome of a run. */
    record Result(List<String> broken, Set<String> seen, List<String> story, long virtualNanos) {}

    private LiveIndexRun(long seed) {
        this.random = new SplittableRandom(seed * 977 + 3);
        this.simulation = new Simulation(seed);
        this.world = world();
        this.drawn = draw(seed);
        this.cloud = new SimulatedCloud(simulation, Profile.AWS_2026, world);
        Map<String, Integer> calls = new HashMap<>();
        cloud.watch((step, client, call, on, outcome) -> {
            int count = calls.merge(client.name(), step == CallWatcher.Step.BEGINS ? 1 : 0, Integer::sum);
            strike(client, count, step);
        });
    }

    static Result run(long seed) {
        LiveIndexRun run = new LiveIndexRun(seed);
        try {
            run.simulation.run(() -> {
                run.work();
                run.verify();
                return true;
            });
        } catch (RuntimeException | AssertionError unexpected) {
            run.broken.add("unexpected " + describe(unexpected));
        }
        return new Result(run.broken, run.seen, run.story, run.simulation.nowNanos());
    }

    // ---- What is drawn

    private World world() {
        return new World(
                maybe(0.03),
                maybe(0.05),
                maybe(0.1),
                Duration.ZERO,
                maybe(0.2),
                maybe(0.7),
                random.nextBoolean() ? Duration.ZERO : millis(1, 3_000));
    }

    private Drawn draw(long seed) {
        return new Drawn(
                LEVELS.get((int) Math.floorMod(seed, (long) LEVELS.size())),
                switch (random.nextInt(4)) {
                    case 0 -> Layout.partitioned(2);
                    case 1 -> Layout.perLeaf();
                    default -> Layout.partitioned(1);
                },
                random.nextInt(3) == 0 ? 4096 : 512,
                3 + random.nextInt(40),
                millis(50, 20_000),
                millis(500, 30_000),
                millis(300, 10_000),
                random.nextInt(4) == 0,
                random.nextInt(3) == 0,
                random.nextInt(4) > 0,
                random.nextBoolean() ? 0 : random.nextDouble(),
                random.nextBoolean() ? 0 : random.nextDouble());
    }

    private double maybe(double most) {
        return random.nextInt(3) > 0 ? 0 : random.nextDouble() * most;
    }

    private Duration millis(int min, int max) {
        double log = StrictMath.log(min) + random.nextDouble() * (StrictMath.log(max) - StrictMath.log(min));
        return Duration.ofMillis((long) StrictMath.exp(log));
    }

    private static String describe(Throwable failure) {
        StringBuilder text = new StringBuilder(failure.toString());
        for (StackTraceElement element : failure.getStackTrace()) {
            if (element.getClassName().startsWith("io.penstock")) {
                text.append(" < ").append(element.getFileName()).append(':').append(element.getLineNumber());
            }
        }
        return failure.getCause() == null ? text.toString() : text + " caused by " + describe(failure.getCause());
    }

    // ---- Machines and what strikes them

    private SimulatedClient machine(String role) {
        SimulatedClient machine = simulation.client(role + "." + machines++);
        int call = (int) StrictMath.exp(random.nextDouble() * StrictMath.log(STRIKE_CALLS_MAX));
        CallWatcher.Step step = random.nextBoolean() ? CallWatcher.Step.BEGINS : CallWatcher.Step.DONE;
        Duration length = millis(100, 120_000);
        boolean crash = random.nextDouble() < drawn.crashes;
        boolean freeze = random.nextDouble() < drawn.freezes;
        if (crash || freeze) {
            strikes.put(machine.name(), new Strike(call, step, crash, length));
        }
        return machine;
    }

    private void strike(SimulatedClient client, int calls, CallWatcher.Step step) {
        Strike strike = strikes.get(client.name());
        if (strike != null && (calls > strike.call || calls == strike.call && step == strike.step)) {
            strikes.remove(client.name());
            say(client.name() + (strike.crash ? " crashes" : " freezes for " + strike.length));
            if (strike.crash) {
                client.crash();
            } else {
                client.freeze(strike.length);
            }
        }
    }

    private void say(String line) {
        story.add(simulation.nowNanos() / 1_000_000 + " ms " + line);
    }

    private SimulatedClient main() {
        return simulation.client("main");
    }

    private Settings settings(SimulatedClient machine) {
        Duration deadAfter = Duration.ofSeconds(20);
        return Settings.on(cloud.objects(machine), cloud.queues(machine), machine)
                .advanced(advanced -> advanced.sweeping(false))
                .meters(new CompositeMeterRegistry())
                .level(drawn.level)
                .advanced(advanced -> advanced.layout(drawn.layout))
                .pageBytes(drawn.pageBytes)
                .poolBytes(8 << 20)
                .ttl(drawn.ttl)
                .advanced(advanced -> advanced.lease(drawn.lease))
                .checkpointInterval(drawn.interval)
                .advanced(advanced ->
                        advanced.forwardInterval(Duration.ofMillis(300)).heartbeatInterval(deadAfter.dividedBy(5)))
                .deadAfter(deadAfter)
                .closeWithin(Duration.ofSeconds(20));
    }

    /** The collection as old or as new programs declare it. */
    private final class Declared {
        final RecordCollection<String, String> words;
        final @Nullable Index<String, String, String> byDigit;

        @Nullable
        Index<Keys.Pair<Long, String>, String, String> byLength;

        Declared(Penstock store, boolean isNew) {
            words = store.collection("words", Keys.string(), Json.of(String.class));
            if (drawn.madeWithIndex) {
                words.index("by-end", Keys.string(), value -> value.substring(value.length() - 1));
            }
            byDigit = isNew ? words.index("by-digit", Keys.string(), LiveIndexRun::digit) : null;
            byLength = isNew
                    ? words.index(
                            "by-length-and-beginning",
                            Keys.pair(Keys.longs(), Keys.string()),
                            value -> new Keys.Pair<>((long) value.length(), value.substring(0, 2)))
                    : null;
        }
    }

    private static @Nullable String digit(String value) {
        int digit = Math.floorMod(value.hashCode(), 4);
        return digit == 3 ? null : String.valueOf(digit);
    }

    private interface Body {
        void run(SimulatedClient machine, Penstock store, Declared declared);
    }

    /** Repeats a task on one machine after another, until it is done or the user gives up. */
    private Task<Boolean> start(String role, boolean isNew, int lives, Body body) {
        SplittableRandom luck = random.split();
        return main().start(role, () -> {
            main().sleep(Duration.ofMillis(luck.nextInt(15_000)));
            for (int life = 0; life < lives; life++) {
                SimulatedClient machine = machine(role);
                Task<Boolean> task = machine.start("life", () -> live(machine, isNew, body));
                try {
                    task.join();
                    return;
                } catch (CrashedException crashed) {
                    seen.add("crashed " + role);
                    main().sleep(Duration.ofMillis(luck.nextInt(5_000)));
                }
            }
        });
    }

    private void live(SimulatedClient machine, boolean isNew, Body body) {
        try (Penstock store = Penstock.open(settings(machine))) {
            body.run(machine, store, new Declared(store, isNew));
        } catch (CorruptDataException e) {
            broken.add("unexpected " + describe(e));
        } catch (StoreException e) {
            say(machine.name() + " gives up: " + e);
        }
    }

    // ---- What goes on

    private void work() {
        cloud.setWorld(World.CALM);
        live(simulation.client("first"), false, (machine, store, declared) -> {
            declared.words.get("k0");
            for (int i = 0; drawn.populated && i < drawn.keys; i++) {
                put(machine, store, declared, "k" + i);
            }
        });
        cloud.setWorld(world);
        List<Task<Boolean>> all = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            all.add(start("old", false, 3, this::write));
            all.add(start("new", true, 3, this::write));
        }
        all.add(start("builder", true, 3, this::build));
        if (random.nextBoolean()) {
            all.add(start("builder", true, 3, this::build));
        }
        all.add(start("scrubber", true, 2, this::scrub));
        all.add(start("scanner", true, 2, this::scan));
        if (drawn.dropped) {
            all.add(start("dropper", true, 2, this::drop));
        }
        if (random.nextBoolean()) {
            all.add(start("compactor", false, 2, this::compact));
        }
        all.forEach(Task::join);
    }

    private void write(SimulatedClient machine, Penstock store, Declared declared) {
        SplittableRandom luck = random.split();
        int rounds = 3 + luck.nextInt(12);
        for (int i = 0; i < rounds; i++) {
            String key = "k" + luck.nextInt(drawn.keys);
            if (luck.nextInt(5) == 0) {
                change(machine, key, store, transaction -> transaction.delete(declared.words, key));
            } else {
                put(machine, store, declared, key);
            }
            machine.sleep(Duration.ofMillis(luck.nextInt(3_000)));
            if (luck.nextInt(4) == 0) {
                checkpointAll(machine, store);
            }
        }
    }

    /** Also checkpoints the queues of trees that did not exist when the program opened the store. */
    private void checkpointAll(SimulatedClient machine, Penstock store) {
        try {
            store.admin().checkpoint();
        } catch (CorruptDataException e) {
            throw e;
        } catch (StoreException e) {
            say(machine.name() + " could not checkpoint: " + e.getClass().getSimpleName());
        }
    }

    private void put(SimulatedClient machine, Penstock store, Declared declared, String key) {
        String value = "t" + transactions++ + "/" + key;
        change(machine, key, store, transaction -> transaction.put(declared.words, key, value));
    }

    private void change(SimulatedClient machine, String key, Penstock store, Consumer<Transaction> change) {
        // Taken back when it is acknowledged; a crash leaves it.
        halfWritten.merge(key, 1, Integer::sum);
        try (Transaction transaction = store.begin()) {
            change.accept(transaction);
            Stamp stamp = transaction.commit();
            acknowledged.merge(key, stamp, (a, b) -> a.isAfter(b) ? a : b);
            halfWritten.merge(key, -1, Integer::sum);
        } catch (CorruptDataException | InvalidRequestException e) {
            broken.add("unexpected " + describe(e));
        } catch (StoreException e) {
            say(machine.name() + " " + key + " " + e.getClass().getSimpleName());
        }
    }

    private void build(SimulatedClient machine, Penstock store, Declared declared) {
        for (int attempt = 1; attempt <= BUILD_ATTEMPTS; attempt++) {
            try {
                declared.words.build();
                say(machine.name() + " has built");
                return;
            } catch (InvalidRequestException dropped) {
                seen.add("dropped while built");
                say(machine.name() + " " + dropped.getMessage());
            } catch (CorruptDataException e) {
                throw e;
            } catch (StoreException e) {
                say(machine.name() + " builds again: " + e.getClass().getSimpleName());
            }
            machine.sleep(Duration.ofSeconds(2));
        }
        broken.add("a build does not come to an end");
    }

    private void scrub(SimulatedClient machine, Penstock store, Declared declared) {
        SplittableRandom luck = random.split();
        for (int i = 0; i < 8; i++) {
            machine.sleep(Duration.ofMillis(luck.nextInt(8_000)));
            try {
                ScrubReport report = store.admin().scrub(declared.byDigit);
                say(machine.name() + " " + report);
                if (report.indexed() > 0) {
                    seen.add("pending indexed");
                }
                if (report.removed() > 0) {
                    seen.add("left-over removed");
                }
            } catch (InvalidRequestException notThere) {
                seen.add("scrub without index");
            }
        }
    }

    /** Everything that a scan returns must be true: it never shows an entry that does not match its record. */
    private void scan(SimulatedClient machine, Penstock store, Declared declared) {
        SplittableRandom luck = random.split();
        for (int i = 0; i < 10; i++) {
            machine.sleep(Duration.ofMillis(luck.nextInt(6_000)));
            String digit = String.valueOf(luck.nextInt(3));
            try (Scan<Entry<String, String>> found = declared.byDigit.scan(digit)) {
                found.forEachRemaining(entry -> {
                    if (!digit.equals(digit(entry.value()))) {
                        broken.add("a scan for " + digit + " found " + entry);
                    }
                });
                seen.add("scanned");
            } catch (InvalidRequestException notReady) {
                seen.add("scan refused");
            }
        }
    }

    private void drop(SimulatedClient machine, Penstock store, Declared declared) {
        machine.sleep(Duration.ofMillis(random.nextInt(20_000)));
        try {
            store.admin().dropIndex(declared.words.name(), "by-digit");
            seen.add("dropped");
            say(machine.name() + " has dropped");
        } catch (InvalidRequestException notThere) {
            say(machine.name() + " has nothing to drop");
        }
    }

    /** Merges leaves so eagerly that many split at once, and removes the retired ones. */
    private void compact(SimulatedClient machine, Penstock store, Declared declared) {
        SplittableRandom luck = random.split();
        for (int i = 0; i < 12; i++) {
            machine.sleep(Duration.ofMillis(luck.nextInt(5_000)));
            try {
                if (StoreProbe.compact(store, JOINED_PERCENT_MAX).joined() > 0) {
                    seen.add("joined");
                    say(machine.name() + " has joined leaves");
                }
                store.admin().removeGarbage(Duration.ZERO);
            } catch (CorruptDataException e) {
                throw e;
            } catch (StoreException e) {
                say(machine.name() + " could not compact: " + e.getClass().getSimpleName());
            }
        }
    }

    // ---- What must hold in the end

    private void verify() {
        cloud.setWorld(World.CALM);
        SimulatedClient machine = simulation.client("verifier");
        machine.sleep(Duration.ofMinutes(2));
        try (Penstock store = Penstock.open(settings(machine))) {
            Declared declared = new Declared(store, true);
            if (random.nextBoolean()) {
                settle(store, machine);
            }
            build(machine, store, declared);
            settle(store, machine);
        }
        machine.sleep(drawn.ttl.plusMillis(1));
        try (Penstock store = Penstock.open(settings(machine))) {
            LiveIndexOracle oracle = new LiveIndexOracle(
                    new Declared(store, true).words, drawn.level == ConsistencyLevel.ATOMIC, exempt(), acknowledged);
            broken.addAll(oracle.violations(store));
            seen.addAll(oracle.seen());
        }
        broken.addAll(cloud.objects(main()).list("penstock/quarantine/", "", 10).entries().stream()
                .map(entry -> "in quarantine: " + entry.key())
                .toList());
    }

    private Set<String> exempt() {
        Set<String> keys = new HashSet<>();
        halfWritten.forEach((key, count) -> {
            if (count > 0 && drawn.level != ConsistencyLevel.ATOMIC) {
                keys.add(key);
            }
        });
        return keys;
    }

    /** Waits until nothing is left except parts of incomplete transactions, which will never be finished. */
    private void settle(Penstock store, SimulatedClient machine) {
        for (int i = 0; i < SETTLE_ROUNDS_MAX; i++) {
            RecoveryReport recovered = store.admin().recover();
            store.admin().checkpoint();
            Backlog left = store.admin().backlog();
            if (left.pendingMessages() == 0 && left.atomicMessages() <= recovered.undecidedMessages()) {
                return;
            }
            machine.sleep(Duration.ofSeconds(10));
        }
        broken.add("the backlog does not drain: " + cloud.describe());
    }
}
