package io.penstock;

import static io.penstock.SimulatedStore.words;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.task.Task;
import io.penstock.testkit.CallWatcher;
import io.penstock.testkit.World;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** No ledger goes back: what a living client writes afterwards would wait behind a hole that nothing can fill. */
class LateLedgerTest {
    private static final Duration LEASE = Duration.ofSeconds(5);

    /** By then the messages that a checkpointer took before it froze are there for others; it still sleeps. */
    private static final Duration HIDDEN = Duration.ofSeconds(40);

    private static Penstock open(SimulatedStore cloud, String machine) {
        return Penstock.open(cloud.settings(machine)
                .level(ConsistencyLevel.MONOTONIC)
                .advanced(advanced -> advanced.lease(LEASE))
                .checkpointing(false));
    }

    private static void checkpointForAWhile(SimulatedStore cloud, Penstock store) {
        for (int minute = 0; minute < 10; minute++) {
            store.admin().checkpoint();
            cloud.sleep(Duration.ofMinutes(1));
        }
    }

    /** Stops the machine, longer than its lease, at its second put of a page: that is the ledger. */
    private static void freezeAtTheLedger(SimulatedStore cloud, String machine) {
        int[] puts = {0};
        cloud.cloud.watch((step, client, call, on, outcome) -> {
            boolean put = step == CallWatcher.Step.BEGINS && call.equals("put") && on.startsWith("penstock/pages/");
            if (put && client.name().equals(machine) && ++puts[0] == 2) {
                client.freeze(Duration.ofMinutes(1));
            }
        });
    }

    @Test
    void aCheckpointerThatSleptDoesNotPutAnOlderLedger() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock writer = open(cloud, "writer");
                    Penstock sleeper = open(cloud, "sleeper");
                    Penstock other = open(cloud, "other")) {
                words(writer).put("a", "1");
                sleeper.admin().checkpoint();
                words(writer).put("b", "2");
                freezeAtTheLedger(cloud, "sleeper");
                Task<Boolean> late = cloud.machine("sleeper")
                        .start("late", () -> sleeper.admin().checkpoint());
                cloud.sleep(HIDDEN);
                words(writer).put("c", "3");
                other.admin().checkpoint();
                late.join();
                words(writer).put("d", "4");
                // Not for minutes: a writer at rest signs off, and nobody waits for what it has not sent.
                other.admin().checkpoint();
                assertThat(SimulatedStore.content(other)).containsOnlyKeys("a", "b", "c", "d");
            }
        });
    }

    /** Gives signs of life twice a day, so that a month passes quickly. */
    private static Penstock openLazy(SimulatedStore cloud, String machine) {
        return Penstock.open(StoreProbe.withAnyHeartbeat(cloud.settings(machine))
                .level(ConsistencyLevel.MONOTONIC)
                .advanced(advanced -> advanced.heartbeatInterval(Duration.ofHours(12)))
                .deadAfter(Duration.ofDays(3))
                .checkpointing(false));
    }

    /** A client that lives keeps its entry, however long it writes nothing, or goes on under another id. */
    @Test
    void aWriterThatIsSilentForAMonthIsNotForgotten() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock writer = openLazy(cloud, "writer");
                    Penstock other = openLazy(cloud, "other")) {
                words(writer).put("a", "1");
                writer.admin().checkpoint();
                cloud.sleep(Duration.ofDays(30));
                words(other).put("b", "2");
                checkpointForAWhile(cloud, other);
                words(writer).put("c", "3");
                checkpointForAWhile(cloud, other);
                assertThat(SimulatedStore.content(other)).containsOnlyKeys("a", "b", "c");
            }
        });
    }
}
