package io.penstock;

import static io.penstock.SimulatedStore.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.OutcomeUnknownException;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The writes of a session to one page, as others see them: in their order, whichever levels they have and whatever
 * became of one between them.
 */
class MixedLevelsTest {
    private static Settings quiet(SimulatedStore cloud) {
        return cloud.settings("author")
                .checkpointing(false)
                .advanced(advanced -> advanced.forwardInterval(Duration.ofHours(1)));
    }

    private static void put(
            Session session, RecordCollection<String, String> words, ConsistencyLevel level, String key) {
        try (Transaction tx = session.begin(level)) {
            tx.put(words, key, "1");
            tx.commit();
        }
    }

    /** The ATOMIC one is still on its way when the other is there. */
    @Test
    void aMonotonicCommitDoesNotOvertakeAnAtomicOne() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock author = Penstock.open(quiet(cloud));
                    Penstock other = cloud.open("other")) {
                Session session = author.newSession();
                put(session, words(author), ConsistencyLevel.ATOMIC, "first");
                put(session, words(author), ConsistencyLevel.MONOTONIC, "second");
                other.admin().checkpoint();
                assertThat(words(other).get("second")).contains("1");
                assertThat(words(other).get("first")).contains("1");
            }
        });
    }

    /** A commit at MONOTONIC of one session does not hurry what another has committed. */
    @Test
    void sessionsDoNotWaitForEachOther() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock author = Penstock.open(quiet(cloud));
                    Penstock other = cloud.open("other")) {
                put(author.newSession(), words(author), ConsistencyLevel.ATOMIC, "first");
                put(author.newSession(), words(author), ConsistencyLevel.MONOTONIC, "second");
                other.admin().checkpoint();
                assertThat(words(other).get("second")).contains("1");
                assertThat(words(other).get("first")).isEmpty();
            }
        });
    }

    /** A checkpoint that died hides the first message for a while. */
    @ParameterizedTest
    @MethodSource("levels")
    void whatIsHiddenIsAwaited(ConsistencyLevel first, ConsistencyLevel second) {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock author = Penstock.open(quiet(cloud));
                    Penstock other = cloud.open("other")) {
                Session session = author.newSession();
                put(session, words(author), first, "first");
                author.flush();
                hide(cloud);
                put(session, words(author), second, "second");
                author.flush();
                assertThat(other.admin().checkpoint().heldBack()).isEqualTo(1);
                assertThat(words(other).get("second")).isEmpty();
                cloud.sleep(Duration.ofMinutes(2));
                other.admin().checkpoint();
                assertThat(SimulatedStore.content(other)).containsOnlyKeys("first", "second");
            }
        });
    }

    static List<Arguments> levels() {
        List<ConsistencyLevel> ordered = Levels.except(
                ConsistencyLevel.NAIVE,
                ConsistencyLevel.BASIC,
                ConsistencyLevel.SNAPSHOT,
                ConsistencyLevel.SERIALIZABLE);
        return ordered.stream()
                .flatMap(first -> ordered.stream().map(second -> Arguments.of(first, second)))
                .toList();
    }

    private static void hide(SimulatedStore cloud) {
        Duration lease = Duration.ofSeconds(60);
        assertThat(cloud.queues("pu-").getFirst().receive(10, lease, Duration.ofSeconds(1)))
                .hasSize(1);
    }

    /**
     * A send of unknown outcome makes the client go on under another id. What follows used to overtake what was
     * acknowledged before and is hidden.
     */
    @Test
    void aRenewedIdDoesNotOvertakeTheOldOne() {
        awaitsTheOldId(true);
    }

    @Test
    void norWhereTheSendOfUnknownOutcomeWasLost() {
        awaitsTheOldId(false);
    }

    private static void awaitsTheOldId(boolean arrives) {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            SimulatedClient machine = cloud.machine("author");
            FaultyQueues queues = new FaultyQueues(cloud.cloud.queues(machine), "-pu-");
            Settings settings = Settings.on(cloud.cloud.objects(machine), queues, machine)
                    .level(ConsistencyLevel.MONOTONIC)
                    .checkpointing(false)
                    .callBudget(Duration.ofMillis(1))
                    .advanced(advanced -> advanced.sweeping(false));
            try (Penstock author = Penstock.open(settings);
                    Penstock other = cloud.open("other")) {
                words(author).put("first", "1");
                hide(cloud);
                queues.set((inner, bodies) -> {
                    if (arrives) {
                        inner.send(bodies);
                    }
                    throw new OutcomeUnknownException("the answer was lost");
                });
                assertThatThrownBy(() -> words(author).put("unknown", "1")).isInstanceOf(OutcomeUnknownException.class);
                queues.heal();
                words(author).put("second", "1");
                words(author).put("third", "1");
                assertThat(other.admin().checkpoint().heldBack()).isEqualTo(arrives ? 3 : 2);
                assertThat(SimulatedStore.content(other)).isEmpty();
                cloud.sleep(Duration.ofMinutes(2));
                other.admin().checkpoint();
                assertThat(words(other).get("first")).contains("1");
                assertThat(words(other).get("second")).contains("1");
                assertThat(words(other).get("third")).contains("1");
                assertThat(other.admin().backlog().pendingMessages()).isZero();
            }
        });
    }
}
