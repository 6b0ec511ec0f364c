package io.penstock.commit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The same seeds with compressed collections: everything the levels promise holds. */
class CompressedSeedsTest {
    private static final int SEEDS = 100;

    @Test
    void promisesHoldWithCompressedPages() {
        List<String> failures = new ArrayList<>();
        long compressed = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            Scenario scenario = Scenario.of(seed).compressed();
            SimulatedRun.Result result = SimulatedRun.run(scenario);
            result.broken().stream().findFirst().ifPresent(broken -> failures.add(scenario.replay() + ": " + broken));
            compressed += result.compressedPuts();
        }
        assertThat(failures).as("%d of %d seeds", failures.size(), SEEDS).isEmpty();
        assertThat(compressed).as("compressed pages put").isGreaterThan(2 * SEEDS);
    }

    /** Compression is not drawn: except for it, a seed has the same scenario. */
    @Test
    void aSeedIsTheSameScenario() {
        Scenario plain = Scenario.of(7);
        Scenario compressed = plain.compressed();
        assertThat(compressed.shape().withCompression(plain.shape().compression()))
                .isEqualTo(plain.shape());
        assertThat(compressed.faults()).isEqualTo(plain.faults());
        assertThat(compressed.replay()).endsWith(" compressed");
    }
}
