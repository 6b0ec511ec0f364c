package io.penstock.commit.simulation.surface;

import io.penstock.ConsistencyLevel;
import io.penstock.CoveringIndex;
import io.penstock.Entry;
import io.penstock.FinalState;
import io.penstock.KeySpan;
import io.penstock.Keys;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Scan;
import io.penstock.Session;
import io.penstock.Transaction;
import io.penstock.commit.simulation.History;
import io.penstock.commit.simulation.History.Outcome;
import io.penstock.commit.simulation.Workload;
import io.penstock.commit.simulation.promise.Evidence;
import io.penstock.commit.simulation.promise.Order;
import io.penstock.commit.simulation.promise.Promise;
import io.penstock.commit.simulation.promise.Promises;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.StoreException;
import io.penstock.core.task.Task;
import io.penstock.testkit.CrashedException;
import io.penstock.testkit.SimulatedClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Programs beside the strict ones, in the same store: sessions at a weaker level, a collection that one program fills,
 * empties and drops, and one that moves.
 */
final class Aside {
    static final String FILLED = "a collection of one program has what it did last";

    /** Those with promises that have no isolation. */
    private static final List<ConsistencyLevel> WEAK = Arrays.stream(ConsistencyLevel.values())
            .filter(level -> level != ConsistencyLevel.NAIVE && !level.isolates())
            .toList();

    /** The levels of programs that use a collection that moves; empty where they set none. */
    private static final List<Optional<ConsistencyLevel>> MOVING = List.of(
            Optional.empty(),
            Optional.empty(),
            Optional.of(ConsistencyLevel.SERIALIZABLE),
            Optional.of(ConsistencyLevel.SNAPSHOT),
            Optional.of(ConsistencyLevel.ATOMIC),
            Optional.of(ConsistencyLevel.MONOTONIC));

    private static final int KEYS = 6;
    private static final int ROUNDS = 8;

    private final Drawn drawn;
    private final Log log;
    private final SplittableRandom random;
    private final Function<String, SimulatedClient> machines;
    private final BiFunction<SimulatedClient, @Nullable ConsistencyLevel, Penstock> open;
    private final ConsistencyLevel level;
    private final History history = new History();
    private final Moving moving;

    /**
     * @param machines gives a new machine of a role
     * @param open opens the store there, at a level, or none
     */
    Aside(
            Drawn drawn,
            Log log,
            SplittableRandom random,
            Function<String, SimulatedClient> machines,
            BiFunction<SimulatedClient, @Nullable ConsistencyLevel, Penstock> open) {
        this.drawn = drawn;
        this.log = log;
        this.random = random;
        this.machines = machines;
        this.open = open;
        this.level = WEAK.get(random.nextInt(WEAK.size()));
        this.moving = new Moving(drawn, log);
    }

    private interface Program {
        void run(SimulatedClient machine, Penstock store, SplittableRandom luck);
    }

    /** Starts what the run has of it. */
    List<Task<Boolean>> start(SimulatedClient main) {
        List<Task<Boolean>> all = new ArrayList<>();
        if (drawn.has(Feature.WEAK)) {
            all.add(start(main, "weak", level, this::sessions));
            all.add(start(main, "weak", level, this::sessions));
        }
        if (drawn.has(Feature.FILL)) {
            all.add(start(main, "filler", level, this::fill));
        }
        if (drawn.has(Feature.MOVE)) {
            for (int i = random.nextInt(4) == 0 ? 2 : 1; i > 0; i--) {
                all.add(start(main, "mover", ConsistencyLevel.ATOMIC, moving::move));
            }
            for (int i = 2 + random.nextInt(3); i > 0; i--) {
                ConsistencyLevel of = MOVING.get(random.nextInt(MOVING.size())).orElse(null);
                all.add(start(main, "mates", of, (machine, store, luck) -> moving.work(machine, store, of, luck)));
            }
        }
        return all;
    }

    /** Runs a program on one machine, and another time on another one when that has crashed. */
    private Task<Boolean> start(SimulatedClient main, String role, @Nullable ConsistencyLevel of, Program program) {
        SplittableRandom luck = random.split();
        return main.start(role, () -> {
            for (int life = 0; life < 2; life++) {
                SimulatedClient machine = machines.apply(role);
                Task<Boolean> task = machine.startThread(role, () -> {
                    try (Penstock store = open.apply(machine, of)) {
                        program.run(machine, store, luck);
                    } catch (StoreException e) {
                        log.unexpected(e, drawn);
                    }
                });
                try {
                    task.join();
                    return;
                } catch (CrashedException crashed) {
                    main.sleep(Duration.ofSeconds(1));
                }
            }
        });
    }

    private RecordCollection<String, String> open(Penstock store, String name) {
        return store.collection(name, Keys.string(), Item.CODEC);
    }

    // ---- Sessions at a weaker level

    private void sessions(SimulatedClient machine, Penstock store, SplittableRandom luck) {
        RecordCollection<String, String> w = open(store, "w");
        RecordCollection<String, String> v = open(store, "v");
        for (int s = 0; s < 3; s++) {
            try (Session session = store.newSession()) {
                for (int i = 0; i < ROUNDS; i++) {
                    machine.sleep(Duration.ofMillis(luck.nextInt(1_500)));
                    transact(machine, session, List.of(w, v), machine.name() + "/" + s, luck);
                }
            }
        }
    }

    private void transact(
            SimulatedClient machine,
            Session session,
            List<RecordCollection<String, String>> collections,
            String name,
            SplittableRandom luck) {
        History.Transaction seen = history.begin(name, level, machine.nanoTime());
        try (Transaction transaction = session.begin(level)) {
            for (int i = 1 + luck.nextInt(3); i > 0; i--) {
                look(transaction, collections.get(luck.nextInt(2)), seen, luck);
            }
            for (int i = luck.nextInt(4); i > 0; i--) {
                RecordCollection<String, String> records = collections.get(luck.nextInt(2));
                String key = Acts.key(luck.nextInt(KEYS));
                String record = records.name() + "/" + key;
                if (drawn.has(Feature.DELETES) && luck.nextInt(4) == 0) {
                    transaction.delete(records, key);
                    seen.writes.put(record, null);
                } else {
                    int padding = drawn.has(Feature.LARGE) && luck.nextBoolean() ? 400 : 10;
                    String value = Item.of(log.drawId(), 0, "", 0, padding);
                    transaction.put(records, key, value);
                    seen.writes.put(record, value);
                }
            }
            seen.stamp = transaction.commit();
            seen.outcome = Outcome.ACKNOWLEDGED;
        } catch (OutcomeUnknownException e) {
            seen.outcome = Outcome.UNKNOWN;
        } catch (StoreException e) {
            log.unexpected(e, drawn);
            seen.outcome = Outcome.FAILED;
        } finally {
            seen.endNanos = machine.nanoTime();
        }
        machine.clearInterrupt();
    }

    private void look(
            Transaction transaction,
            RecordCollection<String, String> records,
            History.Transaction seen,
            SplittableRandom luck) {
        Map<String, String> found = new TreeMap<>();
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < KEYS; i++) {
            keys.add(Acts.key(i));
        }
        switch (luck.nextInt(3)) {
            case 0 -> {
                String key = keys.get(luck.nextInt(KEYS));
                keys = List.of(key);
                transaction.get(records, key).ifPresent(value -> found.put(key, value));
            }
            case 1 -> found.putAll(transaction.getAll(records, keys));
            default -> {
                KeySpan<String> span = KeySpan.all();
                try (Scan<Entry<String, String>> scan =
                        transaction.scan(records, luck.nextBoolean() ? span.reversed() : span)) {
                    scan.forEachRemaining(entry -> found.put(entry.key(), entry.value()));
                }
            }
        }
        keys.forEach(key -> seen.reads.add(new History.Read(records.name() + "/" + key, found.get(key))));
    }

    // ---- A collection of one program

    private void fill(SimulatedClient machine, Penstock store, SplittableRandom luck) {
        for (int turn = 0; turn < 3; turn++) {
            RecordCollection<String, String> records =
                    open(store, "t" + machine.name().replace('.', '-'));
            log.calls.called("RecordCollection.expiresAfter(Duration)");
            records.expiresAfter(Duration.ofDays(1));
            CoveringIndex<Long, String, String, String> lengths = records.index(
                            "by-length", Keys.longs(), value -> (long) value.length())
                    .including("value", Item.CODEC, value -> value);
            Map<String, String> model = new TreeMap<>();
            List<Entry<String, String>> loaded = new ArrayList<>();
            for (int i = 0; i < luck.nextInt(30); i++) {
                String value = Item.of(log.drawId(), 0, "", 0, luck.nextInt(50));
                loaded.add(new Entry<>(Acts.key(i), value));
                model.put(Acts.key(i), value);
            }
            try {
                if (luck.nextBoolean()) {
                    log.calls.called("RecordCollection.load(Iterator,LongConsumer)");
                    records.load(loaded.iterator(), count -> {});
                } else {
                    log.calls.called("RecordCollection.load(Iterator,int,int,LongConsumer)");
                    records.load(loaded.iterator(), 50 + luck.nextInt(50), 1 + luck.nextInt(4), count -> {});
                }
                same(records, lengths, model, "loaded");
                machine.sleep(Duration.ofMillis(luck.nextInt(3_000)));
                if (luck.nextBoolean()) {
                    log.calls.called("Admin.truncate(String)");
                    store.admin().truncate(records.name());
                    same(records, lengths, Map.of(), "emptied");
                    records.put("k01", "again;0;;0;");
                    machine.sleep(Duration.ofMillis(luck.nextInt(3_000)));
                }
                log.calls.called("Admin.drop(String)");
                store.admin().drop(records.name());
            } catch (StoreException e) {
                log.unexpected(e, drawn);
                return; // nobody knows what is there
            }
        }
    }

    private void same(
            RecordCollection<String, String> records,
            CoveringIndex<Long, String, String, String> lengths,
            Map<String, String> model,
            String how) {
        same(records.scan(KeySpan.all()), model, how);
        same(lengths.scan(KeySpan.all()), model, how + " and in the index");
    }

    private void same(Scan<Entry<String, String>> records, Map<String, String> model, String how) {
        Map<String, String> found = new TreeMap<>();
        try (records) {
            records.forEachRemaining(entry -> found.put(entry.key(), entry.value()));
        }
        if (!found.equals(model)) {
            log.alarm(FILLED, how + ": found " + Item.clip(found) + " expected " + Item.clip(model));
        }
    }

    // ---- The end

    /** @param store opened at a weak level when nothing is pending any more */
    void verify(SimulatedClient machine, Penstock store) {
        if (drawn.has(Feature.WEAK)) {
            Map<String, FinalState.Found> end = new TreeMap<>();
            Map<String, String> others = new HashMap<>();
            for (String name : List.of("w", "v")) {
                RecordCollection<String, String> records = open(store, name);
                records.get("k00");
                FinalState.of(records).forEach((key, found) -> end.put(name + "/" + key, found));
                try (Scan<Entry<String, String>> scan = records.scan(KeySpan.all())) {
                    scan.forEachRemaining(entry -> others.put(name + "/" + entry.key(), entry.value()));
                }
            }
            Evidence evidence = new Evidence(
                    Workload.REGISTER,
                    history,
                    end,
                    others,
                    Evidence.ByIndex.NONE,
                    List.of(),
                    List.of(),
                    List.of(),
                    Order.UNSEEN,
                    Evidence.Space.NONE);
            for (Promise promise : Promises.of(level)) {
                promise.violations(evidence).forEach(detail -> log.alarm(promise.name() + " at " + level, detail));
            }
        }
        if (drawn.has(Feature.MOVE)) {
            moving.verify(machine, store);
        }
    }
}
