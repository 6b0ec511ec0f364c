package io.penstock.bench.kills;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.ConsistencyLevel;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code kill -9} of processes that append to lists in a directory: {@code scripts/kills --lists --local}, but short. */
@Tag("slow")
@Tag("long")
class LocalListKillTest {
    private final long seed = Long.getLong("seed", 1);

    @TempDir
    private Path directory;

    @Test
    void transactionsAreAsIfTheyRanOneAfterTheOther() {
        KillPlace place = KillPlace.in(directory.resolve("store"), ConsistencyLevel.SERIALIZABLE);
        try (ListRun run = new ListRun(new ListRun.Plan(place, 3, 2, 300, seed, directory), line -> {})) {
            KillRun.Outcome outcome = run.run();
            assertThat(outcome.violations()).as(outcome.summary()).isEmpty();
            assertThat(outcome.acknowledged()).as("seed=%d", seed).isGreaterThanOrEqualTo(300);
        }
    }
}
