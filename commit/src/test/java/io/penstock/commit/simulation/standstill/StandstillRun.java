package io.penstock.commit.simulation.standstill;

import io.penstock.ConsistencyLevel;
import io.penstock.CoveringIndex;
import io.penstock.Entry;
import io.penstock.Index;
import io.penstock.Json;
import io.penstock.KeySpan;
import io.penstock.Keys;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Scan;
import io.penstock.Settings;
import io.penstock.core.Compression;
import io.penstock.core.ErrorCode;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.StoreException;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.task.Task;
import io.penstock.testkit.CallWatcher;
import io.penstock.testkit.Profile;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.SimulatedCloud;
import io.penstock.testkit.Simulation;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * A run of one program and of the chores of other machines, each of which stands still for up to weeks at a drawn
 * request. The program knows what it has written, so it knows what must be there: no chore changes it, whenever it goes
 * on. A pure function of its seed.
 */
final class StandstillRun {
    private static final int PHASES = 6;
    private static final int KEYS = 12;
    private static final int GROUPS = 3;
    private static final int CALLS_MAX = 400;
    private static final int LARGE = 1_500;
    private static final Duration LONGEST = Duration.ofDays(46);

    /** What a queue surely keeps; what waits for longer is lost, as is documented. */
    private static final Duration KEPT_IN_QUEUES = Duration.ofDays(10);

    private static final String SAVED = "saved";
    private static final int PLACES = 2;

    private enum Chore {
        CHECKPOINT,
        CHECKPOINT_AGAIN,
        HELD_BACK,
        RECOVER,
        QUARANTINE,
        COMPACT,
        GARBAGE,
        SCRUB,
        REPAGE,
        SUMMARIZE,
        BUILD,
        DROP_INDEX,
        MOVE,
        BACKUP,
        RESTORE,
        COPY,
        WRITE,
        LOAD,
        READ
    }

    private record Strike(int call, CallWatcher.Step step, Duration length) {}

    /** A write of another machine. Its outcome is null until it is known. */
    private static final class Foreign {
        final String value;
        String outcome = "";

        Foreign(String value) {
            this.value = value;
        }
    }

    /** A collection with what must be in it. */
    private static final class Kept {
        final String name;
        final TreeMap<String, String> model = new TreeMap<>();

        /** Former values of keys whose last write had an unknown outcome; null where there was none. */
        final Map<String, Set<String>> unsure = new HashMap<>();

        final Map<String, Foreign> foreign = new TreeMap<>();

        Kept(String name) {
            this.name = name;
        }
    }

    private final long seed;
    private final SplittableRandom random;
    private final Simulation simulation;
    private final SimulatedCloud cloud;
    private final Map<String, Strike> strikes = new HashMap<>();
    private final Map<String, Integer> calls = new HashMap<>();
    private final Kept strict = new Kept("d");
    private final Kept weak = new Kept("q");
    private final Set<Map<String, String>> states = new HashSet<>();
    private final List<Task<Boolean>> tasks = new ArrayList<>();
    private final List<String> broken = new ArrayList<>();
    private final List<String> story = new ArrayList<>();
    private final boolean weakToo;
    private final boolean checkpointing;
    private boolean moves;
    private int machines;
    private int ids;

    private StandstillRun(long seed) {
        this.seed = seed;
        this.random = new SplittableRandom(seed * 7_927 + 5);
        this.simulation = new Simulation(seed);
        this.cloud = new SimulatedCloud(simulation, Profile.AWS_2026, World.CALM);
        this.weakToo = random.nextInt(3) > 0;
        this.checkpointing = random.nextBoolean();
        cloud.watch((step, client, call, on, outcome) -> strike(step, client, call + " " + on));
    }

    /** What broke, and the story of it. */
    record Outcome(List<String> broken, List<String> story) {}

    static Outcome run(long seed) {
        StandstillRun run = new StandstillRun(seed);
        try {
            run.simulation.run(() -> {
                run.work();
                return true;
            });
        } catch (RuntimeException | AssertionError unexpected) {
            run.alarm("unexpected " + unexpected + " at "
                    + Arrays.stream(unexpected.getStackTrace()).limit(12).toList());
        }
        return new Outcome(run.broken, run.story);
    }

    private void say(String what) {
        story.add(Duration.ofNanos(simulation.nowNanos()) + " " + what);
    }

    private void alarm(String what) {
        broken.add("seed " + seed + ": " + what);
        say("BROKEN " + what);
    }

    // ---- Machines

    private SimulatedClient machine(String role) {
        return simulation.client(role + "." + machines++);
    }

    private void strike(CallWatcher.Step step, SimulatedClient client, String call) {
        Strike strike = strikes.get(client.name());
        if (strike != null) {
            int count = calls.merge(client.name(), step == CallWatcher.Step.BEGINS ? 1 : 0, Integer::sum);
            if (count > strike.call || count == strike.call && step == strike.step) {
                strikes.remove(client.name());
                say(client.name() + " stands still for " + strike.length + " as " + call + " " + step);
                client.freeze(strike.length);
            }
        }
    }

    private static Duration logarithmic(SplittableRandom luck, Duration most) {
        return Duration.ofMillis((long) StrictMath.exp(luck.nextDouble() * StrictMath.log(most.toMillis())));
    }

    /** Seldom short: what is shorter than minutes is drawn elsewhere. */
    private static Duration pause(SplittableRandom luck) {
        return switch (luck.nextInt(5)) {
            case 0 -> logarithmic(luck, LONGEST);
            case 1 -> Duration.ofHours(1 + luck.nextInt(30));
            case 2 -> Duration.ofDays(13 + luck.nextInt(4));
            default -> Duration.ofDays(28 + luck.nextInt(18));
        };
    }

    private Settings settings(SimulatedClient machine) {
        return Settings.on(cloud.objects(machine), cloud.queues(machine), machine)
                .advanced(advanced -> advanced.sweeping(false))
                .level(ConsistencyLevel.ATOMIC)
                .pageBytes(1024)
                .poolBytes(1 << 20)
                .checkpointing(false)
                .checkpointInterval(Duration.ofSeconds(1))
                .staleness(Duration.ZERO);
    }

    /** A collection as one machine declares it. */
    private static final class Declared {
        final Penstock store;
        final RecordCollection<String, String> records;
        final Index<String, String, String> index;
        final CoveringIndex<String, String, String, String> rows;

        Declared(Penstock store, String name) {
            this.store = store;
            RecordCollection<String, String> plain = store.collection(name, Keys.string(), Json.of(String.class));
            this.records = name.equals("d") ? plain.inDomain(RecordCollection.MAIN_DOMAIN) : plain;
            this.index = records.index("by-group", Keys.string(), StandstillRun::group);
            this.rows = index.including("value", Json.of(String.class), value -> value);
        }

        Map<String, String> read() {
            Map<String, String> found = new TreeMap<>();
            records.scan(KeySpan.all()).page().records().forEach(entry -> found.put(entry.key(), entry.value()));
            return found;
        }

        /** By the rows of the index alone where no race leaves one over: in a domain. */
        Map<String, String> readByIndex() {
            Map<String, String> found = new TreeMap<>();
            boolean isInDomain = records.name().equals("d");
            try (Scan<Entry<String, String>> scan = isInDomain ? rows.scan(KeySpan.all()) : index.scan(KeySpan.all())) {
                scan.forEachRemaining(entry -> found.put(entry.key(), entry.value()));
            }
            return found;
        }
    }

    /** A handle of the store with both collections. */
    private static final class Handle implements AutoCloseable {
        final Penstock store;
        final Declared strict;
        final Declared weak;

        Handle(Settings settings) {
            store = Penstock.open(settings);
            strict = new Declared(store, "d");
            weak = new Declared(store, "q");
        }

        Declared any(SplittableRandom luck) {
            return luck.nextBoolean() ? strict : weak;
        }

        @Override
        public void close() {
            store.close();
        }
    }

    private static String group(String value) {
        return value.substring(0, value.indexOf(';'));
    }

    private String value(SplittableRandom luck) {
        return "g" + luck.nextInt(GROUPS) + ";" + ids++ + ";"
                + "~".repeat(luck.nextInt(6) == 0 ? LARGE : luck.nextInt(90));
    }

    // ---- The program

    private void work() {
        SimulatedClient program = simulation.client("program");
        if (checkpointing) {
            say("the program checkpoints by itself");
        }
        for (int phase = 0; phase < PHASES && broken.isEmpty(); phase++) {
            if (phase > 0) {
                int some = 1 + random.nextInt(2);
                for (int i = 0; i < some; i++) {
                    start();
                }
            }
            boolean isSettled = phase(program);
            Duration pause = pause(random);
            Duration most = isSettled && tasks.stream().allMatch(Task::isDone) || !weakToo ? LONGEST : KEPT_IN_QUEUES;
            Duration sleep = pause.compareTo(most) < 0 ? pause : most;
            say("the program sleeps " + sleep);
            program.sleep(sleep);
        }
        while (!tasks.stream().allMatch(Task::isDone)) {
            phase(program);
            program.sleep(weakToo ? KEPT_IN_QUEUES : LONGEST);
        }
        tasks.forEach(this::end);
        say("all have ended");
        phase(program);
        for (int i = 0; i < PLACES && broken.isEmpty(); i++) {
            restored(program, i);
        }
    }

    private void end(Task<Boolean> task) {
        try {
            task.join();
        } catch (RuntimeException | AssertionError unexpected) {
            alarm("a chore ends in " + unexpected + " at "
                    + Arrays.stream(unexpected.getStackTrace()).limit(12).toList());
        }
    }

    /** Writes for a while, and compares. Returns whether all is on pages. */
    private boolean phase(SimulatedClient program) {
        try (Handle handle = new Handle(settings(program).checkpointing(checkpointing))) {
            Penstock store = handle.store;
            int some = random.nextInt(14);
            for (int i = 0; i < some; i++) {
                settleForeign();
                if (random.nextInt(3) > 0 || !weakToo) {
                    write(handle.strict, strict, ConsistencyLevel.SERIALIZABLE);
                } else {
                    write(handle.weak, weak, ConsistencyLevel.ATOMIC);
                }
                program.sleep(logarithmic(random, Duration.ofMinutes(2)));
                if (random.nextInt(4) == 0) {
                    compare(handle.strict, strict);
                }
            }
            boolean isSettled = settle(store, program);
            compare(handle.strict, strict);
            if (weakToo && isSettled) {
                compare(handle.weak, weak);
            }
            if (random.nextInt(3) == 0) {
                var unused = store.admin().compact();
            }
            return isSettled;
        }
    }

    private boolean settle(Penstock store, SimulatedClient program) {
        boolean isEmpty = false; // queues tell their depth late, so it counts when it is told twice
        for (int i = 0; i < 40; i++) {
            try {
                var unused = store.admin().recover();
                var reported = store.admin().checkpoint();
                boolean wasEmpty = isEmpty;
                isEmpty = store.admin().backlog().total() == 0;
                if (isEmpty && wasEmpty) {
                    return true;
                }
            } catch (StoreException busy) {
                say("settling meets " + busy.getMessage());
            }
            program.sleep(Duration.ofMinutes(1));
        }
        say("not settled: " + store.admin().backlog());
        return false;
    }

    private void write(Declared declared, Kept kept, ConsistencyLevel level) {
        RecordCollection<String, String> records = declared.records;
        Map<String, Optional<String>> changes = new TreeMap<>();
        List<String> keys = new ArrayList<>(kept.model.keySet());
        for (int i = random.nextInt(4); i >= 0; i--) {
            boolean known = !keys.isEmpty() && random.nextInt(2) == 0;
            String key = known ? keys.get(random.nextInt(keys.size())) : "k" + (10 + random.nextInt(KEYS));
            if (!kept.foreign.containsKey(key)) {
                changes.put(key, random.nextInt(2) == 0 ? Optional.empty() : Optional.of(value(random)));
            }
        }
        say("writes " + changes + " to " + kept.name);
        boolean isSure = true;
        try {
            declared.store.transact(level, tx -> {
                changes.forEach((key, value) ->
                        value.ifPresentOrElse(v -> tx.put(records, key, v), () -> tx.delete(records, key)));
                return true;
            });
        } catch (OutcomeUnknownException unknown) {
            isSure = false;
        } catch (StoreException refused) {
            say("refused: " + refused.getMessage());
            return;
        }
        for (Map.Entry<String, Optional<String>> change : changes.entrySet()) {
            String before = change.getValue().isPresent()
                    ? kept.model.put(change.getKey(), change.getValue().get())
                    : kept.model.remove(change.getKey());
            if (isSure) {
                kept.unsure.remove(change.getKey());
            } else {
                kept.unsure
                        .computeIfAbsent(change.getKey(), k -> new HashSet<>())
                        .add(before);
            }
        }
        if (kept == strict) {
            states.add(own(kept.model));
        }
    }

    /** What only the program writes. */
    private static Map<String, String> own(Map<String, String> all) {
        Map<String, String> own = new TreeMap<>(all);
        own.keySet().removeIf(key -> !key.startsWith("k"));
        return own;
    }

    /** Takes over what other machines have written, once it is known how that ended. */
    private void settleForeign() {
        for (Kept kept : List.of(strict, weak)) {
            kept.foreign.entrySet().removeIf(entry -> {
                String outcome = entry.getValue().outcome;
                // What comes late for a collection that moves goes into quarantine.
                switch (kept == weak && moves && outcome.equals("done") ? "unknown" : outcome) {
                    case "done" -> kept.model.put(entry.getKey(), entry.getValue().value);
                    case "unknown" -> {
                        kept.model.put(entry.getKey(), entry.getValue().value);
                        kept.unsure
                                .computeIfAbsent(entry.getKey(), k -> new HashSet<>())
                                .add(null);
                    }
                    case "" -> {
                        return false;
                    }
                    default -> {}
                }
                return true;
            });
        }
    }

    private void compare(Declared declared, Kept kept) {
        settleForeign();
        compare(declared.read(), kept, "records");
        try {
            compare(declared.readByIndex(), kept, "rows of the index");
        } catch (StoreException e) {
            say("the index: " + e.getMessage());
        }
    }

    private void compare(Map<String, String> found, Kept kept, String what) {
        Map<String, String> expected = new TreeMap<>(kept.model);
        kept.unsure.forEach((key, former) -> {
            if (former.contains(found.get(key))) {
                expected.remove(key);
                Optional.ofNullable(found.get(key)).ifPresent(v -> expected.put(key, v));
            }
        });
        Map<String, String> seen = new TreeMap<>(found);
        kept.foreign.keySet().forEach(seen::remove);
        if (!seen.equals(expected)) {
            Map<String, String> wrong = new TreeMap<>();
            Set<String> keys = new HashSet<>(seen.keySet());
            keys.addAll(expected.keySet());
            keys.stream()
                    .filter(key -> !Objects.equals(seen.get(key), expected.get(key)))
                    .forEach(key -> wrong.put(key, clip(seen.get(key)) + " and not " + clip(expected.get(key))));
            alarm(what + " of " + kept.name + ": " + wrong);
        }
    }

    private static String clip(String value) {
        return value == null ? "none" : value.substring(0, Math.min(20, value.length()));
    }

    // ---- Chores

    private void start() {
        SimulatedClient machine = machine("m");
        SplittableRandom luck = random.split();
        Chore chore = Chore.values()[luck.nextInt(Chore.values().length)];
        int call = (int) StrictMath.exp(luck.nextDouble() * StrictMath.log(CALLS_MAX));
        CallWatcher.Step step = luck.nextBoolean() ? CallWatcher.Step.BEGINS : CallWatcher.Step.DONE;
        strikes.put(machine.name(), new Strike(call, step, pause(luck)));
        say(machine.name() + " starts with " + chore);
        moves |= chore == Chore.MOVE;
        Duration before = logarithmic(luck, Duration.ofMinutes(1));
        Consumer<Handle> work = work(chore, machine, luck);
        tasks.add(machine.fork("chore", () -> {
            machine.sleep(before);
            try (Handle handle = new Handle(settings(machine))) {
                work.accept(handle);
                say(machine.name() + " is done");
            } catch (StoreException e) {
                say(machine.name() + " ends in " + e.code() + " " + e.getMessage());
            }
            return true;
        }));
    }

    private Consumer<Handle> work(Chore chore, SimulatedClient machine, SplittableRandom luck) {
        return switch (chore) {
            case CHECKPOINT -> handle -> handle.store.admin().checkpoint();
            case HELD_BACK -> handle -> handle.store.admin().applyHeldBack();
            case RECOVER -> handle -> handle.store.admin().recover();
            case QUARANTINE -> handle -> handle.store.admin().quarantine().applyAll(false);
            case COMPACT -> handle -> handle.store.admin().compact();
            case GARBAGE -> handle -> handle.store.admin().removeGarbage(Duration.ZERO);
            case SCRUB -> handle -> handle.store.admin().scrub(handle.any(luck).index);
            case REPAGE ->
                handle -> handle.store
                        .admin()
                        .repage(handle.any(luck).records.name(), 512 << luck.nextInt(3), Compression.NONE);
            case SUMMARIZE -> handle -> handle.store.admin().summarize(handle.strict.records);
            case BUILD -> handle -> handle.any(luck).records.build();
            case DROP_INDEX ->
                handle ->
                        handle.store.admin().dropIndex(handle.any(luck).records.name(), "by-group");
            case RESTORE -> handle -> restore(machine, luck.nextInt(PLACES));
            case WRITE -> handle -> foreign(handle, luck.nextBoolean() || !weakToo);
            default -> handle -> inSteps(chore, handle, machine, luck);
        };
    }

    private void inSteps(Chore chore, Handle handle, SimulatedClient machine, SplittableRandom luck) {
        Penstock store = handle.store;
        switch (chore) {
            case MOVE -> {
                store.admin().moveInto("q", RecordCollection.MAIN_DOMAIN, progress -> {});
                machine.sleep(logarithmic(luck, Duration.ofHours(2)));
                store.admin().moveOut("q", progress -> {});
            }
            case BACKUP -> {
                store.admin().backup(cloud.objects(machine), SAVED, luck.nextInt(3) == 0);
                if (luck.nextInt(3) == 0) {
                    store.admin().keepBackups(cloud.objects(machine), SAVED, 1, Duration.ZERO);
                }
            }
            case COPY -> {
                try (Penstock copy = Penstock.open(settings(machine).prefix("place" + luck.nextInt(PLACES)))) {
                    store.admin().copy(copy);
                }
            }
            case LOAD -> {
                RecordCollection<String, String> loaded =
                        store.collection("l" + luck.nextInt(2), Keys.string(), Json.of(String.class));
                loaded.load(
                        List.of(new Entry<>("a", "1"), new Entry<>("b", "2")).iterator(), count -> {});
                store.admin().drop(loaded.name());
            }
            default -> {
                for (int i = 0; i < 3; i++) {
                    if (chore == Chore.READ) {
                        var unused = handle.strict.read();
                    } else {
                        store.admin().checkpoint();
                    }
                    machine.sleep(Duration.ofSeconds(luck.nextInt(60)));
                }
            }
        }
    }

    /** Writes a record that the program may delete once it knows of it. */
    private void foreign(Handle handle, boolean toStrict) {
        Kept kept = toStrict ? strict : weak;
        Declared declared = toStrict ? handle.strict : handle.weak;
        String key = "v" + ids++;
        Foreign write = new Foreign(value(random.split()));
        kept.foreign.put(key, write);
        say("another writes " + key + " to " + kept.name);
        String outcome = "failed";
        try {
            declared.records.put(key, write.value);
            outcome = "done";
        } catch (OutcomeUnknownException unknown) {
            outcome = "unknown";
        } catch (StoreException failed) {
            say("another's write of " + key + ": " + failed.getMessage());
        } finally {
            write.outcome = outcome;
            say("another's write of " + key + " is " + outcome);
        }
    }

    private void restore(SimulatedClient machine, int place) {
        ObjectStore from = cloud.objects(machine);
        try (Penstock restored = Penstock.open(settings(machine).prefix("place" + place))) {
            restored.admin().restore(from, SAVED, Optional.empty());
        }
    }

    /** Finishes what was begun, and compares it with all states that there were. */
    private void restored(SimulatedClient program, int place) {
        try {
            restore(program, place);
        } catch (StoreException e) {
            say("the last restore of " + place + " ends in " + e.code() + " " + e.getMessage());
            if (e.code() != ErrorCode.ALREADY_EXISTS) {
                return;
            }
        }
        try (Handle handle = new Handle(settings(program).prefix("place" + place))) {
            Map<String, String> found = own(handle.strict.read());
            if (!found.isEmpty() && !states.contains(found)) {
                alarm("the restored store has a state that never was: " + found);
            }
        } catch (StoreException e) {
            alarm("the restored store cannot be read: " + e);
        }
    }
}
