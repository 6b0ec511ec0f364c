package io.penstock.bench.experiment.kills;

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

    private BankRun.Outcome run(ConsistencyLevel level, int kills) {
        BankPlace place = BankPlace.in(directory.resolve("store"), level);
        try (BankRun run = new BankRun(place, seed, directory)) {
            return run.run(kills, 1, line -> {});
        }
    }

    @Test
    void noSumIsEverWrongAndNothingAcknowledgedIsLost() {
        BankRun.Outcome outcome = run(ConsistencyLevel.SERIALIZABLE, 10);
        assertThat(outcome.violations()).as(outcome.summary()).isEmpty();
        assertThat(outcome.acknowledged()).as("seed=%d", seed).isGreaterThan(10);
    }

    /** What the run looks for is there to be seen. */
    @Test
    void withoutIsolationSumsAreWrong() {
        assertThat(run(ConsistencyLevel.ATOMIC, 2).violations()).isNotEmpty();
    }
}
