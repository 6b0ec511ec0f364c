package io.penstock.commit.simulation;

import io.penstock.Penstock;
import io.penstock.core.StoreException;
import io.penstock.testkit.SimulatedClient;
import java.time.Duration;
import java.util.SplittableRandom;

/**
 * A program that closes its store while its users are at work, in some seeds: what was acknowledged by then is there.
 * Drawn apart from all else.
 */
final class EarlyClose {
    /** The name of the cut that has all users end first. */
    static final String CUT = "no-haste";

    private static final int MILLIS_MAX = 8_000;

    private final boolean isThere;
    private final SplittableRandom random;

    EarlyClose(Scenario scenario) {
        this.isThere = isIn(scenario);
        this.random = new SplittableRandom(scenario.seed() * 122_949_823 + 3);
    }

    static boolean isIn(Scenario scenario) {
        boolean drawn = new SplittableRandom(scenario.seed() * 67_867_967 + 7).nextInt(24) == 0;
        return drawn && !scenario.perils().leisurely() && !scenario.cuts().contains(CUT);
    }

    /** Has a store closed in a while, whoever uses it then. */
    void close(Penstock store, SimulatedClient machine) {
        if (isThere) {
            Duration after = Duration.ofMillis(random.nextInt(MILLIS_MAX));
            machine.start("hasty close", () -> {
                try {
                    machine.sleep(after);
                    store.close();
                } catch (StoreException | ForeignException | ForeignError e) {
                    // What it leaves is for others to finish.
                }
            });
        }
    }
}
