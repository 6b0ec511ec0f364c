package io.penstock.commit.simulation;

import io.penstock.Entry;
import io.penstock.FinalState;
import io.penstock.KeySpan;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Scan;
import io.penstock.Settings;
import io.penstock.StoreProbe;
import io.penstock.Transaction;
import io.penstock.commit.log.AtomicMessage;
import io.penstock.commit.simulation.promise.Evidence;
import io.penstock.commit.simulation.promise.Order;
import io.penstock.commit.simulation.promise.TreesAreSound;
import io.penstock.core.CorruptDataException;
import io.penstock.core.Stamp;
import io.penstock.report.Backlog;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.SimulatedCloud;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * The checks at the end of a run, when all users are gone and the weather is calm: first it waits until nothing is
 * pending.
 */
final class Verification {
    private static final int IDLE_ROUNDS_MAX = 15;

    /** Rounds without a step after which the waits are long: order behind a lost message is given up after an hour. */
    private static final int QUICK_ROUNDS = 7;

    private static final Duration QUICK_WAIT = Duration.ofSeconds(20);
    private static final Duration LONG_WAIT = Duration.ofMinutes(10);

    /** One seed in so many looks into the memory of a client at rest. */
    private static final int PROBE_EVERY = 4;

    /** Long enough for frozen machines, leases, hidden messages and heartbeats to run out. */
    private static final Duration SETTLING = Duration.ofMinutes(5);

    /** Parts of transactions without a commit record are there until the queue forgets them. */
    private static final Duration RETENTION = Duration.ofDays(15);

    private static final Duration UNHURRIED = Duration.ofMinutes(1);

    private final Scenario scenario;
    private final Function<SimulatedClient, Settings> settings;
    private final BiConsumer<String, String> alarm;
    private final PageWatch pages;

    Verification(
            Scenario scenario,
            Function<SimulatedClient, Settings> settings,
            BiConsumer<String, String> alarm,
            PageWatch pages) {
        this.scenario = scenario;
        this.pages = pages;
        // No other client checks for hours or days whether this client is alive, and it checkpoints only on demand.
        // What
        // it commits need not be forwarded by the millisecond either: it stays for weeks.
        Duration forwardInterval = scenario.shape().forwardInterval();
        this.settings = machine -> StoreProbe.withAnyHeartbeat(settings.apply(machine))
                .advanced(advanced -> advanced.forwardInterval(
                                forwardInterval.compareTo(UNHURRIED) < 0 ? UNHURRIED : forwardInterval)
                        .heartbeatInterval(Duration.ofDays(1)))
                .checkpointInterval(Duration.ofDays(1))
                .checkpointing(false);
        this.alarm = alarm;
    }

    /** Checkpoints and recovers until nothing is pending except parts of transactions that will never be finished. */
    void settle(SimulatedClient machine, SimulatedCloud cloud) {
        settle(machine, cloud, (store, settle) -> settle.run());
    }

    /** The same within {@code body}, whenever that runs what it is given. */
    void settle(SimulatedClient machine, SimulatedCloud cloud, BiConsumer<Penstock, Runnable> body) {
        machine.sleep(SETTLING);
        try (Penstock store = Penstock.open(settings.apply(machine))) {
            body.accept(store, () -> settle(store, machine, cloud));
        }
    }

    /** Returns whether there are such parts. */
    private boolean settle(Penstock store, SimulatedClient machine, SimulatedCloud cloud) {
        long least = Long.MAX_VALUE;
        for (int idle = 0; idle < IDLE_ROUNDS_MAX; idle++) {
            long undecided = store.admin().recover().undecidedMessages();
            store.admin().checkpoint();
            Backlog backlog = store.admin().backlog();
            long left = backlog.total();
            if (backlog.pendingMessages() == 0 && (left == undecided || left == undecidedOfAll(machine))) {
                return left > 0;
            }
            // A short lease makes small steps; only no step at all is a failure.
            idle = left < least ? 0 : idle;
            least = Math.min(least, left);
            machine.sleep(idle < QUICK_ROUNDS ? QUICK_WAIT : LONG_WAIT);
        }
        if (isUnfinishedAlone(cloud)) {
            return true; // of so many clients that no look counts all of them
        }
        alarm.accept("the backlog drains", cloud.describe());
        return false;
    }

    /** Whether all that is left is parts of transactions of which others are missing. */
    private static boolean isUnfinishedAlone(SimulatedCloud cloud) {
        boolean[] otherwise = {false};
        Map<Stamp, Set<Integer>> parts = new HashMap<>();
        Map<Stamp, Integer> counts = new HashMap<>();
        cloud.tamper((queue, body, receives) -> {
            otherwise[0] |= queue.startsWith("penstock-pu-");
            if (queue.startsWith("penstock-at-")) {
                for (AtomicMessage.Part part :
                        AtomicMessage.decode(body, "what is left").parts()) {
                    parts.computeIfAbsent(part.stamp(), stamp -> new HashSet<>())
                            .add(part.index());
                    counts.put(part.stamp(), part.count());
                }
            }
            return Optional.of(body);
        });
        return !otherwise[0]
                && counts.entrySet().stream()
                        .allMatch(one -> parts.get(one.getKey()).size() < one.getValue());
    }

    /** Asks with a fresh handle: one that has looked at settled clients before does so again after a day only. */
    private long undecidedOfAll(SimulatedClient machine) {
        try (Penstock fresh = Penstock.open(settings.apply(machine))) {
            return fresh.admin().recover().undecidedMessages();
        }
    }

    /** Waits until queues have forgotten the parts that will never be finished. */
    private void outlast(Penstock store, SimulatedClient machine, SimulatedCloud cloud) {
        machine.sleep(RETENTION);
        if (settle(store, machine, cloud)) {
            alarm.accept("the backlog drains", "after " + RETENTION + ": " + cloud.describe());
        }
    }

    Evidence gather(SimulatedClient machine, SimulatedCloud cloud, History history, Order order) {
        machine.sleep(SETTLING);
        try (Penstock old = Penstock.open(settings.apply(machine))) {
            try {
                return gather(old, machine, cloud, history, order);
            } catch (CorruptDataException damage) {
                // The check reads on where others stop, and tells whether there is damage.
                StoreProbe.faults(old).forEach(line -> alarm.accept(new TreesAreSound().name(), line));
                throw damage;
            }
        }
    }

    private Evidence gather(Penstock old, SimulatedClient machine, SimulatedCloud cloud, History history, Order order) {
        Tables oldTables = new Tables(old, scenario);
        // Pages of before the last checkpoints, in a pool whose TTL must pass before it shows what is new.
        records(oldTables);
        boolean leftovers = settle(old, machine, cloud);
        List<String> memory = new ArrayList<>();
        if (scenario.seed() % PROBE_EVERY == 0) {
            memory.addAll(probe(old, oldTables, machine, cloud, history));
            settle(old, machine, cloud);
        }
        pass(machine);
        memory.addAll(StoreProbe.excess(oldTables.collections.get(oldTables.first())));
        long sending = StoreProbe.sendingBytes(oldTables.collections.get(oldTables.first()));
        if (sending != 0) {
            memory.add(sending + " bytes are kept to be sent though nobody commits");
        }

        try (Penstock fresh = Penstock.open(settings.apply(machine))) {
            Evidence.Space space = collectGarbage(fresh);
            Tables tables = new Tables(fresh, scenario);
            Evidence evidence = new Evidence(
                    scenario.workload(),
                    history,
                    end(tables),
                    records(oldTables),
                    byIndex(tables),
                    StoreProbe.faults(fresh),
                    memory,
                    new ArrayList<>(),
                    order,
                    space);
            if (leftovers) {
                outlast(fresh, machine, cloud);
            }
            return evidence;
        }
    }

    /** Collects garbage only in runs that did so all the time, so that other histories stay as they are. */
    private Evidence.Space collectGarbage(Penstock store) {
        if (!pages.isWatching()) {
            return Evidence.Space.NONE;
        }
        store.admin().removeGarbage(Duration.ZERO);
        return new Evidence.Space(pages.missing(), pages.orphans());
    }

    /** Waits until no pooled page is from before now. */
    private void pass(SimulatedClient machine) {
        machine.sleep(scenario.shape().ttl());
        machine.sleep(Duration.ofMillis(1));
    }

    /** Checks that a client drops what it has committed once that is applied and visible: the next commit tells. */
    private List<String> probe(
            Penstock store, Tables tables, SimulatedClient machine, SimulatedCloud cloud, History history) {
        commit(store, tables, machine, history);
        settle(store, machine, cloud);
        commit(store, tables, machine, history);
        pass(machine);
        commit(store, tables, machine, history);
        int kept = StoreProbe.unapplied(tables.collections.get(tables.first()));
        // The last two were not checkpointed.
        return kept > 2 ? List.of(kept + " transactions are kept though all but two are applied") : List.of();
    }

    private void commit(Penstock store, Tables tables, SimulatedClient machine, History history) {
        History.Transaction seen = history.begin(History.VERIFIER, scenario.level(), machine.nanoTime());
        String key = tables.first() + "/probe";
        String value = "t" + history.transactions().size() + "/" + key;
        try (Transaction transaction = store.begin()) {
            transaction.put(tables.of(key), Tables.within(key), value);
            seen.writes.put(key, value);
            seen.stamp = transaction.commit();
            seen.outcome = History.Outcome.ACKNOWLEDGED;
            seen.endNanos = machine.nanoTime();
        }
    }

    private static Map<String, FinalState.Found> end(Tables tables) {
        Map<String, FinalState.Found> end = new TreeMap<>();
        tables.collections.forEach(
                (name, records) -> FinalState.of(records).forEach((key, found) -> end.put(name + "/" + key, found)));
        return end;
    }

    private static Map<String, String> records(Tables tables) {
        Map<String, String> records = new TreeMap<>();
        tables.collections.forEach((name, collection) -> add(records, name, collection));
        return records;
    }

    private static void add(Map<String, String> records, String name, RecordCollection<String, String> collection) {
        try (Scan<Entry<String, String>> scan = collection.scan(KeySpan.all())) {
            scan.forEachRemaining(entry -> records.put(name + "/" + entry.key(), entry.value()));
        }
    }

    /** The records that the index finds, by all its search keys; null without an index. */
    private static Evidence.ByIndex byIndex(Tables tables) {
        if (tables.index == null) {
            return Evidence.ByIndex.NONE;
        }
        String name = tables.first();
        Map<String, String> found = new TreeMap<>();
        for (String key : Tables.searchKeys()) {
            Map<String, String> rows = rows(tables, key);
            try (Scan<Entry<String, String>> scan = tables.index.scan(key)) {
                scan.forEachRemaining(entry -> {
                    String row = tables.covering == null ? entry.value() : rows.get(entry.key());
                    found.put(name + "/" + entry.key(), entry.value().equals(row) ? row : "row " + row);
                });
            }
        }
        return new Evidence.ByIndex(name, found);
    }

    /** What the entries of a search key include; entries that are left over have rows too. */
    private static Map<String, String> rows(Tables tables, String searchKey) {
        Map<String, String> rows = new TreeMap<>();
        if (tables.covering != null) {
            try (Scan<Entry<String, String>> scan = tables.covering.scan(searchKey)) {
                scan.forEachRemaining(row -> rows.put(row.key(), row.value()));
            }
        }
        return rows;
    }
}
