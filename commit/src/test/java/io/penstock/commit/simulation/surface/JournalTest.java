package io.penstock.commit.simulation.surface;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.ConsistencyLevel;
import io.penstock.commit.simulation.surface.Attempt.End;
import io.penstock.core.ClientId;
import io.penstock.core.Stamp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A journal gives back what a judge needs, up to the moment of a kill. */
class JournalTest {
    private static final String FOUND = Item.of("w1", 0, "", 0, 3);

    @TempDir
    private Path directory;

    private static Attempt attempt(String seen) {
        Attempt attempt = new Attempt(
                "u", "s", "TRANSACT RETURNS in session s", ConsistencyLevel.SERIALIZABLE, Duration.ZERO, 1_000);
        attempt.look(
                "get a/k1",
                Optional.of(seen),
                Map.of("a/k1", Optional.of(seen)),
                2_000,
                state -> Optional.ofNullable(state.get("a/k1")));
        attempt.put("a/k2", Item.of("w2", 1, "", 0, 0));
        attempt.stamp = Stamp.of(8, 0, new ClientId(1));
        return attempt;
    }

    private Log judged(Attempt attempt) {
        return judged(attempt, FOUND);
    }

    /** @param stored the value in the log */
    private Log judged(Attempt attempt, String stored) {
        Path file = directory.resolve("journal");
        try (Journal journal = new Journal(file)) {
            journal.save(attempt);
            attempt.end(End.COMMITTED, 3_000);
            journal.save(attempt);
        }
        Log log = new Log(false);
        Journal.read(file, log);
        Drawn drawn = Drawn.of(1, ConsistencyLevel.SERIALIZABLE, EnumSet.allOf(Feature.class), Set.of());
        new Judge(
                        drawn,
                        log,
                        List.of(
                                new Judge.Commit(Stamp.of(5, 0, new ClientId(1)), Map.of("a/k1", Optional.of(stored))),
                                new Judge.Commit(
                                        attempt.stamp, Map.of("a/k2", Optional.of(Item.of("w2", 1, "", 0, 0))))),
                        0)
                .judge();
        return log;
    }

    @Test
    void whatOneStateGivesIsSound() {
        Log log = judged(attempt(FOUND));
        assertThat(log.attempts).hasSize(1);
        assertThat(log.attempts.getFirst().end).isEqualTo(End.COMMITTED);
        assertThat(log.broken).isEmpty();
    }

    @Test
    void aStateWithAValueThatNobodyKnowsGivesAnyAnswer() {
        assertThat(judged(attempt(FOUND), Judge.GONE).broken).isEmpty();
    }

    @Test
    void whatNoStateGivesIsTold() {
        Log log = judged(attempt(Item.of("w0", 0, "", 0, 3)));
        assertThat(log.broken).extracting(Log.Broken::promise).containsExactly(Judge.ONE_STATE);
    }

    @Test
    void anEntryThatAKillCutsOffIsLeftOut() throws IOException {
        Path file = directory.resolve("journal");
        try (Journal journal = new Journal(file)) {
            journal.save(attempt(FOUND));
            journal.save(attempt(FOUND));
        }
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, whole.length - 9));
        Log log = new Log(false);
        Journal.read(file, log);
        assertThat(log.attempts).hasSize(1);
    }
}
