package io.penstock.commit.simulation;

import io.penstock.FinalState;
import io.penstock.Penstock;
import io.penstock.Settings;
import io.penstock.commit.simulation.promise.AcknowledgedWritesSurvive;
import io.penstock.commit.simulation.promise.Promises;
import io.penstock.core.task.Promise;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.Simulation;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * The pace of clients with the settings that a user gets: seconds to hours from one transaction to the next, seconds to
 * days until a crashed client is back. When all have done their work and some are still open, everything that was
 * acknowledged must be seen by others in time.
 */
final class RealTimings {
    /** The default of {@code clockSkewMax}. */
    private static final Duration SKEW_MAX = Duration.ofMinutes(5);

    static final String SEEN_IN_TIME = "acknowledged writes are seen in time";

    static final String SEEN_BY_SUCCESSORS = "a successor sees what its predecessor was acknowledged";

    private static final Duration PAUSE_MAX = Duration.ofMinutes(20);
    private static final Duration ABSENCE_MAX = Duration.ofDays(6);

    /** Long enough for what had struck before to be over. */
    private static final Duration CALMING = Duration.ofMinutes(6);

    /** By then the order of what waits for a lost message is given up. */
    private static final Duration ORDER_KEPT = Duration.ofMinutes(80);

    /** How often the queues are asked for what clients left whose objects are lost, and some turns. */
    private static final Duration QUEUES_ASKED_EVERY = Duration.ofHours(40);

    private final Simulation simulation;
    private final Scenario scenario;
    private final SplittableRandom random;
    private final Promise<Boolean> allRest;
    private final Promise<Boolean> over;
    private final Set<SimulatedClient> open = new HashSet<>();
    private final Map<String, Long> opening = new HashMap<>();
    private final Set<String> unfinished = new HashSet<>();
    private final Set<Integer> resting = new HashSet<>();

    /** Well below what queues keep, as nobody else may be there: the time that crashed clients stay away, in all. */
    private Duration absence = Duration.ofDays(9);

    RealTimings(Simulation simulation, Scenario scenario) {
        this.simulation = simulation;
        this.scenario = scenario;
        this.random = new SplittableRandom(scenario.seed() * 32_452_843 + 3);
        this.allRest = simulation.client("main").promise();
        this.over = simulation.client("main").promise();
    }

    /** Notes that the users of a machine have done all that they will do. */
    void rest(int number) {
        resting.add(number);
        if (resting.size() == scenario.size().machines()) {
            allRest.complete(true);
        }
    }

    Duration pause() {
        return drawn(PAUSE_MAX);
    }

    /** How long a crashed client stays away. */
    Duration away() {
        Duration drawn = drawn(ABSENCE_MAX);
        Duration most = absence.dividedBy(2);
        Duration away = drawn.compareTo(most) < 0 ? drawn : most;
        absence = absence.minus(away);
        return away;
    }

    /** Short ones as often as long ones, from a second on. */
    private Duration drawn(Duration most) {
        return Duration.ofMillis((long) StrictMath.exp(random.nextDouble() * StrictMath.log(most.toMillis())));
    }

    /** Keeps a machine's store open until all have looked. */
    void linger(SimulatedClient machine, int number) {
        open.add(machine);
        rest(number);
        over.await();
    }

    void awaitRest() {
        allRest.await();
    }

    /** Lets all go. */
    void release() {
        over.complete(true);
    }

    /**
     * Looks whether everybody sees what was acknowledged. Only if no user is left does this reader do the work.
     *
     * @param waits whether some of it may wait until its order is given up
     */
    void look(
            Settings settings,
            SimulatedClient reader,
            History history,
            boolean waits,
            BiConsumer<String, String> alarm) {
        reader.sleep(CALMING);
        // A client with a wrong clock applies nothing.
        boolean isServed = open.stream()
                .anyMatch(machine ->
                        !machine.crashed() && Math.abs(machine.nowMillis() - reader.nowMillis()) < SKEW_MAX.toMillis());
        Duration deadline = scenario.shape().deadAfter().multipliedBy(2).plusMinutes(1);
        if (waits) {
            deadline = deadline.plus(ORDER_KEPT);
        }
        if (ClientDamage.isIn(scenario)) {
            deadline = deadline.plus(QUEUES_ASKED_EVERY);
        }
        try (Penstock store = Penstock.open(isServed ? settings.checkpointing(false) : settings)) {
            Tables tables = new Tables(store, scenario);
            reader.sleep(deadline);
            missing(tables, history, "").forEach(detail -> alarm.accept(SEEN_IN_TIME, detail));
        }
    }

    /** What was acknowledged to sessions whose names begin so, and is not on the pages. */
    private List<String> missing(Tables tables, History history, String sessions) {
        // Levels with isolation read a log, which has it at once: see SeenOnceAcknowledged. Their pages may wait.
        if (scenario.level().isolates()
                || Promises.of(scenario).stream().noneMatch(AcknowledgedWritesSurvive.class::isInstance)) {
            return List.of();
        }
        List<History.Transaction> acknowledged = history.transactions().stream()
                .filter(one -> one.isAcknowledged() && one.session.startsWith(sessions))
                .toList();
        Map<String, FinalState.Found> found = new TreeMap<>();
        tables.collections.forEach(
                (name, records) -> FinalState.of(records).forEach((key, one) -> found.put(name + "/" + key, one)));
        List<String> missing = new ArrayList<>();
        for (History.Transaction transaction : acknowledged) {
            for (String key : transaction.writes.keySet()) {
                FinalState.Found there = found.get(key);
                if (there == null || transaction.stamp.isAfter(there.stamp())) {
                    missing.add(key + " is " + there + " for others, acknowledged " + transaction);
                }
            }
        }
        return missing;
    }

    /** Half of all programs tell their names, which are those of their machines. */
    Optional<String> nameOf(SimulatedClient machine) {
        String name = machine.name().replaceAll("\\..*", "");
        boolean named = name.startsWith("m") && !name.equals("main") && (scenario.seed() + name.hashCode()) % 2 == 0;
        return scenario.perils().leisurely() && named ? Optional.of(name) : Optional.empty();
    }

    /** Notes that a client begins to open the store. */
    void begin(SimulatedClient machine) {
        nameOf(machine)
                .filter(name -> opening.put(name, machine.nanoTime()) != null)
                .ifPresent(unfinished::add);
    }

    /**
     * A client that is open sees at once what was acknowledged to the last one of its name; unless one of that name has
     * crashed as it opened the store, for then the one before it is not the last. Where lists of queues and counts of
     * messages lag, and where answers were lost until it gave up waiting, that is a matter of the sweeps.
     */
    void lookBack(Tables tables, SimulatedClient machine, History history, BiConsumer<String, String> alarm) {
        boolean patient = nameOf(machine)
                .map(opening::remove)
                .filter(begun -> machine.nanoTime() - begun
                        < scenario.shape().lease().multipliedBy(2).toNanos())
                .isPresent();
        World world = scenario.faults().world();
        boolean tellsAll = world.missed() == 0 && world.sendDelay().isZero();
        if (patient && tellsAll && scenario.perils().losses() == 0 && !ClientDamage.isIn(scenario)) {
            nameOf(machine)
                    .filter(name -> !unfinished.contains(name))
                    .ifPresent(name -> missing(tables, history, name + ".")
                            .forEach(detail -> alarm.accept(SEEN_BY_SUCCESSORS, machine.name() + ": " + detail)));
        }
    }
}
