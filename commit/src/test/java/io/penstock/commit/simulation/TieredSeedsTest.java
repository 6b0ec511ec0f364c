package io.penstock.commit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.testing.MemoryTier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * The same seeds on machines with disks: pools have a second level, which outlives crashes of its machine, holds few
 * pages and forgets some. Everything the levels promise holds.
 */
class TieredSeedsTest {
    private static final int SEEDS = 100;
    private static final int PAGES_MAX = 20;

    @Test
    void promisesHoldWithASecondLevel() {
        List<String> failures = new ArrayList<>();
        long found = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            Scenario scenario = Scenario.of(seed);
            long drawnFrom = seed;
            Map<String, MemoryTier> disks = new TreeMap<>();
            SimulatedRun.run(
                            scenario,
                            name -> disks.computeIfAbsent(
                                    name, n -> new MemoryTier(drawnFrom + n.hashCode(), PAGES_MAX, 0.1)))
                    .broken()
                    .stream()
                    .findFirst()
                    .ifPresent(broken -> failures.add(scenario.replay() + ": " + broken));
            found += disks.values().stream()
                    .mapToLong(disk -> disk.stats().hits())
                    .sum();
        }
        assertThat(failures).as("%d of %d seeds", failures.size(), SEEDS).isEmpty();
        assertThat(found).as("pages found in the second level").isGreaterThan(SEEDS);
    }
}
