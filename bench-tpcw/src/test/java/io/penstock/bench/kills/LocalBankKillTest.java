package io.penstock.bench.kills;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.ConsistencyLevel;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code kill -9} of a bank in a directory: {@code scripts/kills --bank --local}, but ten. */
@Tag("slow")
class LocalBankKillTest {
    private final long seed = Long.getLong("seed", 1);

    @TempDir
    private Path directory;

    private KillRun.Outcome run(ConsistencyLevel level, int kills) {
        KillPlace place = KillPlace.in(directory.resolve("store"), level);
        KillRun.Plan plan = new KillRun.Plan(place, kills, 1, new KillPlan.Source(seed, 1, true), directory);
        try (KillRun run = new KillRun(plan, line -> {})) {
            return run.run();
        }
    }

    @Test
    void noSumIsEverWrongAndNothingAcknowledgedIsLost() {
        KillRun.Outcome outcome = run(ConsistencyLevel.SERIALIZABLE, 10);
        assertThat(outcome.violations()).as(outcome.summary()).isEmpty();
        assertThat(outcome.acknowledged()).as("seed=%d", seed).isGreaterThan(10);
    }

    /** What the run looks for is there to be seen. */
    @Test
    void withoutIsolationSumsAreWrong() {
        assertThat(run(ConsistencyLevel.ATOMIC, 2).violations()).isNotEmpty();
    }
}
