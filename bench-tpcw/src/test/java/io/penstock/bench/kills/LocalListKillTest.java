package io.penstock.bench.kills;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.ConsistencyLevel;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code kill -9} of processes that append to lists in a directory: {@code scripts/kills --lists --local}, short. */
@Tag("slow")
@Tag("long")
class LocalListKillTest {
    private final long seed = Long.getLong("seed", 1);

    @TempDir
    private Path directory;

    private KillRun.Outcome run(ConsistencyLevel level, int kills, int transactions) {
        KillPlace place = KillPlace.in(directory.resolve("store"), level);
        ListRun.Plan plan = new ListRun.Plan(place, kills, 2, transactions, seed, directory);
        try (ListRun run = new ListRun(plan, line -> {})) {
            return run.run();
        }
    }

    @Test
    void transactionsAreAsIfTheyRanOneAfterTheOther() {
        KillRun.Outcome outcome = run(ConsistencyLevel.SERIALIZABLE, 3, 300);
        assertThat(outcome.violations()).as(outcome.summary()).isEmpty();
        assertThat(outcome.acknowledged()).as("seed=%d", seed).isGreaterThanOrEqualTo(300);
    }

    /** What the run looks for is there to be seen. */
    @Test
    void withoutIsolationNumbersAreLost() {
        assertThat(run(ConsistencyLevel.ATOMIC, 0, 100).violations()).isNotEmpty();
    }
}
