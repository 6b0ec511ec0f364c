package io.penstock.commit.simulation;

import io.penstock.ConsistencyLevel;
import io.penstock.TwinTasks;
import io.penstock.core.task.Tasks;
import io.penstock.testkit.SimulatedClient;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Pairs of machines that go on from copies of one snapshot. Both have drawn the same id; in half of the runs both have
 * also registered it by the same heartbeat, and find out about each other when the next one fails. What they draw after
 * that differs, as the generator of a real process takes up what its machine has gathered. Whether a run has them is
 * drawn apart from all else.
 */
final class ClonedClients {
    /** The name of the cut that leaves them out. */
    static final String CUT = "no-twins";

    private static final int SEEDS = 16;

    /** A machine draws the label of its meters, then its id. */
    private static final int UNTIL_ID = 2;

    private static final Pattern MACHINE = Pattern.compile("m(\\d+)\\.\\d+");

    private final boolean isThere;

    /** Whether sessions keep their own records; BASIC breaks these promises by itself. */
    private final boolean hasSessions;

    private final int draws;
    private final long seed;

    /** The number of lives that each machine has had. */
    private final Map<Integer, Integer> lives = new HashMap<>();

    ClonedClients(Scenario scenario) {
        SplittableRandom random = new SplittableRandom(scenario.seed() * 86_028_121 + 7);
        boolean drawn = random.nextInt(SEEDS) == 0;
        this.draws = random.nextBoolean() && registersFirst(scenario) ? UNTIL_ID + trees(scenario) + 1 : UNTIL_ID;
        this.seed = random.nextLong();
        this.hasSessions = scenario.level() != ConsistencyLevel.BASIC;
        this.isThere = drawn
                && hasIdentities(scenario.level())
                && scenario.size().machines() > 1
                && !scenario.perils().leisurely()
                && !scenario.perils().fleet()
                && !scenario.cuts().contains(CUT);
    }

    /** A machine draws ids of trees, which it uses for those that are not there yet, before its first heartbeat. */
    private static int trees(Scenario scenario) {
        return scenario.workload().collections().size() + (scenario.shape().indexed() ? 1 : 0);
    }

    /** Whether machines register before they draw names of large payloads, which no two of them ever share. */
    private static boolean registersFirst(Scenario scenario) {
        return scenario.level() != ConsistencyLevel.BASIC && User.paddingMax(scenario) == 0;
    }

    /** Whether this run has them. Then its collections must be there before. */
    boolean areThere() {
        return isThere;
    }

    private static boolean hasIdentities(ConsistencyLevel level) {
        return switch (level) {
            case NAIVE, SNAPSHOT, SERIALIZABLE -> false;
            case BASIC, MONOTONIC, ATOMIC -> true;
        };
    }

    /**
     * Whether a promise waits until twins have found each other: the ledger counts the numbers of both as one's, so a
     * session may take its own record for applied, and read a page without it.
     */
    boolean excuse(String promise) {
        return isThere
                && hasSessions
                && Set.of("read your writes", "monotonic reads").contains(promise);
    }

    static boolean areIn(Scenario scenario) {
        return new ClonedClients(scenario).isThere;
    }

    /** What a machine runs on, in its next life. The lives of both are twins, one by one. */
    Tasks of(SimulatedClient machine) {
        Matcher name = MACHINE.matcher(machine.name());
        if (!isThere || !name.matches()) {
            return machine;
        }
        int number = Integer.parseInt(name.group(1));
        int life = lives.merge(number, 1, Integer::sum);
        return new TwinTasks(machine, seed + 1_000L * (number / 2) + life, draws);
    }
}
