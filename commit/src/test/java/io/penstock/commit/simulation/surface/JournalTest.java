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
                .judge(Map.of());
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

    /** A serializable body that has read only what it has put has not looked at the log for its session. */
    @Test
    void aBodyThatSawOnlyItsOwnTellsItsSessionOfNoState() {
        assertThat(afterABodyThatReads("a/k2").broken).isEmpty();
        assertThat(afterABodyThatReads("a/k1").broken)
                .extracting(Log.Broken::promise)
                .containsExactly(Judge.FRESH);
    }

    /** Nobody looks at the log for the records of an empty span. */
    @Test
    void aBodyThatSawAnEmptySpanTellsItsSessionOfNoState() {
        Attempt body = body();
        body.look("find keys k2 to k1", Map.of(), Map.of(), 4_000, state -> Map.of());
        assertThat(afterABody(body).broken).isEmpty();
    }

    private static Attempt body() {
        return new Attempt(
                "u", "s", "TRANSACT ABORTS in session s", ConsistencyLevel.SERIALIZABLE, Duration.ZERO, 3_000);
    }

    private static Log afterABodyThatReads(String key) {
        Attempt body = body();
        String own = Item.of("w2", 1, "", 0, 0);
        body.put("a/k2", own);
        Optional<String> seen = Optional.of(key.equals("a/k2") ? own : FOUND);
        body.look("get " + key, seen, Map.of(key, seen), 4_000, state -> Optional.ofNullable(state.get(key)));
        return afterABody(body);
    }

    /** A stale read without a commit that was acknowledged before a body which aborted. */
    private static Log afterABody(Attempt body) {
        Log log = new Log(false);
        body.end(End.ANSWERED, 5_000);
        Attempt stale = new Attempt(
                "u", "s", "READ RETURNS in session s", ConsistencyLevel.SNAPSHOT, Duration.ofSeconds(1), 6_000);
        stale.look("get a/k1", Optional.empty(), Map.of(), 7_000, state -> Optional.ofNullable(state.get("a/k1")));
        stale.end(End.COMMITTED, 8_000);
        Attempt writer = new Attempt(
                "w", "t", "TRANSACT RETURNS in session t", ConsistencyLevel.SERIALIZABLE, Duration.ZERO, 1_000);
        writer.put("a/k1", FOUND);
        writer.stamp = Stamp.of(5, 0, new ClientId(1));
        writer.end(End.COMMITTED, 2_000);
        log.attempts.addAll(List.of(writer, body, stale));
        Drawn drawn = Drawn.of(1, ConsistencyLevel.SNAPSHOT, EnumSet.allOf(Feature.class), Set.of());
        new Judge(drawn, log, List.of(new Judge.Commit(writer.stamp, Map.of("a/k1", Optional.of(FOUND)))), 0)
                .judge(Map.of());
        return log;
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
