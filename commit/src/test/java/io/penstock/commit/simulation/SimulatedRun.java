package io.penstock.commit.simulation;

import io.penstock.commit.Collection;
import io.penstock.commit.Entry;
import io.penstock.commit.FinalState;
import io.penstock.commit.Index;
import io.penstock.commit.Json;
import io.penstock.commit.Keys;
import io.penstock.commit.Penstock;
import io.penstock.commit.Scan;
import io.penstock.commit.Settings;
import io.penstock.commit.Transaction;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.StoreException;
import io.penstock.core.sim.CrashedException;
import io.penstock.core.sim.Profile;
import io.penstock.core.sim.SimulatedClient;
import io.penstock.core.sim.SimulatedCloud;
import io.penstock.core.sim.Simulation;
import io.penstock.core.sim.World;
import io.penstock.core.task.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** Runs one scenario and says which promises were broken. A pure function of the scenario. */
final class SimulatedRun {
    private static final int IDLE_ROUNDS_MAX = 15;

    private final Scenario scenario;
    private final Simulation simulation;
    private final SimulatedCloud cloud;
    private final History history = new History();
    private final List<Broken> broken = new ArrayList<>();
    private int incarnations;

    /** A promise that was not kept. */
    record Broken(String promise, String detail) {}

    /** What came of a run; {@code history} is for those who compare runs. */
    record Result(List<Broken> broken, History history, long virtualNanos, long wakeups) {}

    private SimulatedRun(Scenario scenario) {
        this.scenario = scenario;
        this.simulation = new Simulation(scenario.seed());
        this.cloud = new SimulatedCloud(simulation, Profile.AWS_2026, scenario.world());
    }

    static Result of(Scenario scenario) {
        SimulatedRun run = new SimulatedRun(scenario);
        try {
            run.simulation.run(() -> {
                run.work();
                run.verify();
                return true;
            });
        } catch (RuntimeException | AssertionError unexpected) {
            run.broken.add(new Broken("no unexpected failure", stackOf(unexpected)));
        }
        return new Result(run.broken, run.history, run.simulation.nowNanos(), run.simulation.wakeups());
    }

    private static String stackOf(Throwable failure) {
        StringBuilder text = new StringBuilder(failure.toString());
        for (StackTraceElement element : failure.getStackTrace()) {
            if (element.getClassName().startsWith("io.penstock")) {
                text.append(" < ").append(element.getFileName()).append(':').append(element.getLineNumber());
            }
        }
        return failure.getCause() == null ? text.toString() : text + " caused by " + stackOf(failure.getCause());
    }

    private Settings settings(SimulatedClient machine) {
        return scenario.apply(Settings.on(cloud.objects(machine), cloud.queues(machine), machine));
    }

    private void work() {
        List<Task<Boolean>> clients = new ArrayList<>();
        for (int c = 0; c < scenario.clients(); c++) {
            int number = c;
            clients.add(simulation.client("main").start("client " + c, () -> live(number)));
        }
        clients.forEach(Task::join);
    }

    /** One user, on one machine after another: a crash ends the machine, and the next one goes on. */
    private void live(int number) {
        SplittableRandom random = new SplittableRandom(scenario.seed() * 1009 + number);
        int[] round = new int[1];
        while (round[0] < scenario.transactions()) {
            String name = "c" + number + "." + incarnations++;
            SimulatedClient machine = simulation.client(name);
            Task<Boolean> life = machine.start("life of " + name, () -> use(machine, number, name, round, random));
            if (random.nextDouble() < scenario.crashes()) {
                simulation.client("main").sleep(Duration.ofMillis(random.nextInt(1, 8_000)));
                if (!life.isDone()) {
                    machine.crash();
                }
            }
            try {
                life.join();
            } catch (CrashedException crashed) {
                // Its transaction stays open in the history. Every other life ends by itself.
                round[0]++;
            }
        }
    }

    private void use(SimulatedClient machine, int number, String name, int[] round, SplittableRandom random) {
        try (Penstock store = Penstock.open(settings(machine))) {
            Collection<String, String> records = records(store);
            index(records);
            while (round[0] < scenario.transactions()) {
                Workload.Steps steps = scenario.workload().next(number, round[0], scenario.keys(), random);
                transact(store, records, name, number + "." + round[0], steps);
                round[0]++;
                machine.sleep(Duration.ofMillis(random.nextInt(1500)));
            }
        }
    }

    private Collection<String, String> records(Penstock store) {
        return store.collection("records", Keys.string(), Json.of(String.class));
    }

    /** The search key is the first character of a value's last part: a few, which change with the value. */
    private static Index<String, String, String> index(Collection<String, String> records) {
        return records.index("by-digit", Keys.string(), SimulatedRun::digit);
    }

    static String digit(String value) {
        return String.valueOf(Math.floorMod(value.hashCode(), 5));
    }

    private void transact(
            Penstock store, Collection<String, String> records, String session, String id, Workload.Steps steps) {
        History.Transaction seen = history.begin(session, scenario.level());
        try (Transaction transaction = store.begin()) {
            for (String key : steps.reads()) {
                seen.reads.add(
                        new History.Read(key, transaction.get(records, key).orElse(null)));
            }
            for (String key : steps.writes()) {
                String value = session + "/" + id + "/" + key;
                transaction.put(records, key, value);
                seen.writes.put(key, value);
            }
            for (String key : steps.deletes()) {
                transaction.delete(records, key);
                seen.writes.put(key, null);
            }
            seen.stamp = transaction.commit();
            seen.outcome = History.Outcome.ACKNOWLEDGED;
        } catch (OutcomeUnknownException e) {
            seen.outcome = History.Outcome.UNKNOWN;
        } catch (StoreException e) {
            seen.outcome = History.Outcome.FAILED;
        }
    }

    private void verify() {
        cloud.setWorld(World.CALM);
        SimulatedClient machine = simulation.client("verifier");
        // Long enough for leases, hidden messages, heartbeats and pools to run out.
        machine.sleep(Duration.ofMinutes(5));
        if (!drain(machine)) {
            // Parts of transactions without a commit record are kept for a day.
            machine.sleep(Duration.ofHours(25));
            if (!drain(machine)) {
                broken.add(new Broken("the backlog drains", cloud.describe()));
            }
        }
        try (Penstock store = Penstock.open(settings(machine))) {
            Collection<String, String> records = records(store);
            Index<String, String, String> index = index(records);
            store.check().forEach(line -> broken.add(new Broken("trees are sound", line)));
            Map<String, FinalState.Found> end = FinalState.of(records);
            broken.addAll(Promises.check(scenario.level(), history, end));
            checkIndex(index, end);
        }
    }

    private boolean drain(SimulatedClient machine) {
        try (Penstock store = Penstock.open(settings(machine))) {
            long least = Long.MAX_VALUE;
            for (int idle = 0; idle < IDLE_ROUNDS_MAX; idle++) {
                store.recover();
                store.checkpoint();
                long left = store.backlog().total();
                if (left == 0) {
                    return true;
                }
                // A short lease makes small steps; only no step at all is a failure.
                idle = left < least ? 0 : idle;
                least = Math.min(least, left);
                machine.sleep(Duration.ofSeconds(20));
            }
            return false;
        }
    }

    private void checkIndex(Index<String, String, String> index, Map<String, FinalState.Found> end) {
        Map<String, String> found = new TreeMap<>();
        for (int digit = 0; digit < 5; digit++) {
            try (Scan<Entry<String, String>> scan = index.scan(String.valueOf(digit))) {
                scan.forEachRemaining(entry -> found.put(entry.key(), entry.value()));
            }
        }
        Set<String> exempt = history.halfWritten();
        end.forEach((key, record) -> {
            if (!exempt.contains(key) && !Objects.equals(record.value(), found.get(key))) {
                broken.add(new Broken(
                        "an index agrees with its collection",
                        key + " has " + record + ", by index " + found.get(key)));
            }
        });
    }
}
