package io.penstock;

import static io.penstock.SimulatedStore.words;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.commit.log.LogRecord;
import io.penstock.commit.log.PuMessage;
import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.queue.Delivery;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.record.RecordChange;
import io.penstock.report.CheckpointReport;
import io.penstock.testkit.World;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Messages of a living client that lack an earlier one: order is given up after an hour, data never. They used to be
 * held back for as long as the client lived, and were then forgotten by the queue.
 */
class HeldBackTest {
    private static void lose(SimulatedStore cloud) {
        for (MessageQueue queue : cloud.queues("pu-")) {
            List<Delivery> found = queue.receive(10, Duration.ofSeconds(30), Duration.ofSeconds(1));
            queue.delete(found.stream().map(Delivery::receipt).toList());
        }
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NAIVE", "BASIC", "SNAPSHOT", "SERIALIZABLE"})
    void aHoleOfALivingClientIsPassedAfterAnHour(ConsistencyLevel level) {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            Settings settings = cloud.settings("a").level(level).checkpointInterval(Duration.ofMinutes(2));
            try (Penstock store = Penstock.open(settings);
                    Penstock other = cloud.open("b")) {
                words(store).put("lost", "1");
                cloud.sleep(Duration.ofSeconds(3));
                lose(cloud);
                words(store).put("kept", "2");
                cloud.sleep(Duration.ofMinutes(30));
                assertThat(words(other).get("kept"))
                        .as("order is kept for a while")
                        .isEmpty();
                cloud.sleep(Duration.ofMinutes(45));
                assertThat(words(other).get("kept")).contains("2");
                words(store).put("later", "3");
                cloud.sleep(Duration.ofMinutes(5));
                assertThat(words(other).get("later"))
                        .as("what comes after waits no more")
                        .contains("3");
                assertThat(store.admin().backlog().pendingMessages()).isZero();
            }
        });
    }

    /** What is held back says until when, and an operator who knows that nothing comes any more need not wait. */
    @Test
    void anOperatorEndsTheWait() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            Settings settings = cloud.settings("a").level(ConsistencyLevel.MONOTONIC);
            try (Penstock store = Penstock.open(settings.checkpointInterval(Duration.ofMinutes(2)));
                    Penstock other = cloud.open("b")) {
                words(store).put("lost", "1");
                cloud.sleep(Duration.ofSeconds(3));
                lose(cloud);
                words(store).put("kept", "2");
                Instant sent = Instant.ofEpochMilli(cloud.machine("main").nowMillis());
                CheckpointReport held = other.admin().checkpoint();
                assertThat(held.heldBack()).isEqualTo(1);
                assertThat(held.heldBackUntil().orElseThrow())
                        .isBetween(sent.plus(Duration.ofMinutes(55)), sent.plus(Duration.ofMinutes(65)));
                assertThat(words(other).get("kept")).isEmpty();
                CheckpointReport applied = other.admin().applyHeldBack();
                assertThat(applied.heldBack()).isZero();
                assertThat(applied.heldBackUntil()).isEmpty();
                cloud.sleep(Duration.ofSeconds(20));
                assertThat(words(other).get("kept")).contains("2");
            }
        });
    }

    /** A message that went into quarantine is out of the way of those behind it: its numbers are spent. */
    @Test
    void whatIsBehindAMessageInQuarantineIsApplied() {
        new SimulatedStore(2, World.CALM).run(cloud -> {
            try (Penstock store = cloud.open("a")) {
                words(store).put("a", "1");
                store.admin().checkpoint();
                long now = cloud.machine("main").nowMillis();
                MessageQueue queue = cloud.queues("pu-").getFirst();
                queue.send(List.of(
                        message(1, new TreeId(123), now),
                        message(2, words(store).tree(), now)));
                CheckpointReport report = store.admin().checkpoint();
                assertThat(report.quarantined()).isEqualTo(1);
                assertThat(report.heldBack()).isZero();
                assertThat(SimulatedStore.content(store)).containsOnlyKeys("a", "k2");
                assertThat(store.admin().checkpoint().quarantined())
                        .as("it is not met again")
                        .isZero();
            }
        });
    }

    private static Bytes message(long number, TreeId tree, long millis) {
        ClientId stranger = new ClientId(42);
        RecordChange change =
                new RecordChange.Put(Bytes.utf8("k" + number), Bytes.utf8("\"v\""), Stamp.of(millis, 0, stranger));
        return new PuMessage(stranger, number, List.of(new LogRecord(tree, change))).encode();
    }

    /**
     * The client's ledger entry is pruned meanwhile: the client continues under a new id, rather than behind a hole.
     */
    @Test
    void aClientThatWasSuspendedForAMonthGoesOn() {
        new SimulatedStore(3, World.CALM).run(cloud -> {
            Settings settings = cloud.settings("a").level(ConsistencyLevel.MONOTONIC);
            try (Penstock sleeper = Penstock.open(settings);
                    Penstock other = cloud.open("b")) {
                words(sleeper).put("a", "1");
                cloud.sleep(Duration.ofMinutes(1));
                cloud.machine("a").freeze(Duration.ofDays(30));
                cloud.sleep(Duration.ofDays(29).plusHours(12));
                words(other).put("b", "2");
                other.admin().checkpoint();
                cloud.sleep(Duration.ofDays(1));
                cloud.machine("a").start("wake", () -> words(sleeper).put("c", "3"));
                cloud.sleep(Duration.ofMinutes(2));
                assertThat(words(other).get("c")).contains("3");
            }
        });
    }
}
