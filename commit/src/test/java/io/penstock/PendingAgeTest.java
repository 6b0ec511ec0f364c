package io.penstock;

import static io.penstock.SimulatedStore.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.penstock.core.UnavailableException;
import io.penstock.core.queue.Delivery;
import io.penstock.core.queue.MessageQueue;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What waits too long to be applied is told of, and then stops further commits, as long as it waits. */
class PendingAgeTest {
    private final MeterRegistry meters = new SimpleMeterRegistry();

    private double age() {
        return meters.get("penstock.pending.age").gauge().value();
    }

    private Settings settings(SimulatedStore cloud, ConsistencyLevel level) {
        return cloud.settings("a").level(level).meters(meters);
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NAIVE", "BASIC", "SNAPSHOT", "SERIALIZABLE"})
    void whereNobodyCheckpointsWritersAreSlowedAndThenRefused(ConsistencyLevel level) {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock store = Penstock.open(settings(cloud, level).checkpointing(false))) {
                assertThat(age()).isZero();
                words(store).put("a", "1");
                assertThat(secondsToPut(cloud, store)).isLessThan(1);
                cloud.sleep(Duration.ofMinutes(61));
                assertThat(age()).isGreaterThan(3600);
                assertThat(store.admin().backlog().oldest())
                        .hasValueSatisfying(age -> assertThat(age.toMinutes()).isBetween(60L, 61L));
                assertThat(secondsToPut(cloud, store)).isBetween(1.0, 3.0);
                cloud.sleep(Duration.ofHours(12));
                assertThatThrownBy(() -> words(store).put("b", "1"))
                        .isInstanceOf(UnavailableException.class)
                        .hasMessageContaining("oldestSeconds=46");
                store.transact(ConsistencyLevel.NAIVE, tx -> {
                    tx.put(words(store), "n", "1");
                    return true;
                });
                try (Penstock other = cloud.open("b")) {
                    assertThat(other.admin().backlog().oldest())
                            .as("knows of nothing")
                            .isEmpty();
                    while (other.admin().checkpoint().busy() > 0) {
                        cloud.sleep(Duration.ofMinutes(3));
                    }
                }
                cloud.sleep(Duration.ofSeconds(20));
                assertThat(age()).isZero();
                assertThat(secondsToPut(cloud, store)).isLessThan(1);
            }
        });
    }

    /** What others write meanwhile must not make what was applied look old, at a level without a ledger too. */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NAIVE", "SNAPSHOT", "SERIALIZABLE"})
    void inABusyStoreNothingIsOld(ConsistencyLevel level) {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock store = Penstock.open(settings(cloud, level));
                    Penstock other = Penstock.open(cloud.settings("b").level(level))) {
                for (int i = 0; i < 900; i++) {
                    words(i % 2 == 0 ? store : other).put("k" + i % 9, "v" + i);
                    cloud.sleep(Duration.ofMillis(300));
                    assertThat(age()).as("level=%s i=%d", level, i).isLessThan(120);
                }
            }
        });
    }

    /** Records that are lost with their queue, or were purged, do not count for ever. */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NAIVE", "SNAPSHOT", "SERIALIZABLE"})
    void whatIsLostDoesNotCountForEver(ConsistencyLevel level) {
        for (boolean checkpointing : new boolean[] {true, false}) {
            meters.clear();
            new SimulatedStore(1, World.CALM).run(cloud -> {
                Settings settings =
                        settings(cloud, level).checkpointing(checkpointing).checkpointInterval(Duration.ofSeconds(50));
                try (Penstock store = Penstock.open(settings)) {
                    words(store).put("a", "1");
                    cloud.sleep(Duration.ofSeconds(3));
                    purge(cloud);
                    cloud.sleep(Duration.ofMinutes(15));
                    assertThat(age())
                            .as("level=%s checkpointing=%s", level, checkpointing)
                            .isZero();
                }
            });
        }
    }

    /** A client that only sweeps knows of the age too: what its checkpoint leaves is as old as its message. */
    @Test
    void whatACheckpointLeavesCounts() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            Penstock writer = Penstock.open(
                    cloud.settings("w").level(ConsistencyLevel.MONOTONIC).checkpointing(false));
            words(writer).put("a", "1");
            purge(cloud);
            words(writer).put("b", "1");
            cloud.sleep(Duration.ofMinutes(4)); // before the writer, which is idle, signs off
            try (Penstock sweeper = Penstock.open(settings(cloud, ConsistencyLevel.ATOMIC))) {
                assertThat(sweeper.admin().checkpoint().heldBack()).isEqualTo(1);
                cloud.sleep(Duration.ofSeconds(2));
                assertThat(age()).isBetween(240.0, 340.0);
                cloud.sleep(Duration.ofMinutes(11));
                assertThat(age()).as("nobody looked again").isZero();
            }
            writer.close();
        });
    }

    private static double secondsToPut(SimulatedStore cloud, Penstock store) {
        long before = cloud.simulation.nowNanos();
        words(store).put("t", "1");
        return (cloud.simulation.nowNanos() - before) / 1e9;
    }

    private static void purge(SimulatedStore cloud) {
        for (MessageQueue queue : cloud.queues("pu-")) {
            List<Delivery> found = queue.receive(10, Duration.ofSeconds(30), Duration.ofSeconds(1));
            queue.delete(found.stream().map(Delivery::receipt).toList());
        }
    }
}
