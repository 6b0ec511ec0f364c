package io.penstock.commit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs seeds of the simulation; {@code scripts/simulate} runs more of them, or one. */
class SimulationSeedsTest {
    private static final int QUICK = 60;

    @Test
    void promisesHoldOverSeeds() {
        run(0, QUICK);
    }

    @Test
    @Tag("slow")
    void promisesHoldOverManySeeds() {
        run(QUICK, 10_000);
    }

    /** Runs all of them, so that a failure tells how often it happens. */
    private static void run(long from, long count) {
        List<String> failures = new ArrayList<>();
        for (long seed = from; seed < from + count; seed++) {
            Scenario scenario = Scenario.of(seed);
            SimulatedRun.run(scenario).broken().stream()
                    .findFirst()
                    .ifPresent(broken -> failures.add(scenario.replay() + ": " + broken));
        }
        assertThat(failures).as("%d of %d seeds", failures.size(), count).isEmpty();
    }

    /** An explicit checkpoint that was overtaken by another client's is no failure: 10817. */
    @ParameterizedTest
    @ValueSource(longs = 10_817)
    void seedsThatFailedOnceHold(long seed) {
        run(seed, 1);
    }
}
