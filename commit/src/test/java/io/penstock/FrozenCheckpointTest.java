package io.penstock;

import static io.penstock.SimulatedStore.words;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.UnavailableException;
import io.penstock.core.task.Task;
import io.penstock.testkit.CallWatcher;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Clients that stand still at the put of a page, while others delete what they are about to write. */
class FrozenCheckpointTest {
    private static Penstock strict(SimulatedStore cloud, String machine) {
        return Penstock.open(cloud.settings(machine)
                .level(ConsistencyLevel.SERIALIZABLE)
                .pageBytes(64 << 10)
                .checkpointing(false));
    }

    /** Freezes a client once, at a call that puts a page. */
    private static void freeze(SimulatedStore cloud, String machine, Duration length) {
        SimulatedClient frozen = cloud.machine(machine);
        boolean[] done = {false};
        cloud.cloud.watch((step, client, call, on, outcome) -> {
            boolean wanted = step == CallWatcher.Step.BEGINS && client == frozen && call.equals("put");
            if (wanted && on.contains("/pages/") && !done[0]) {
                done[0] = true;
                client.freeze(length);
            }
        });
    }

    /** Starts a client that checkpoints, and stands still at its first page. */
    private static Task<Boolean> frozenCheckpoint(SimulatedStore cloud, Duration length) {
        freeze(cloud, "frozen", length);
        return cloud.machine("frozen").fork("checkpoint", () -> {
            try (Penstock store = strict(cloud, "frozen")) {
                var unused = store.admin().checkpoint();
                return true;
            } catch (UnavailableException tooOld) {
                return false;
            }
        });
    }

    private static Optional<String> found(Penstock store) {
        return store.transact(ConsistencyLevel.SERIALIZABLE, tx -> tx.get(words(store), "k"));
    }

    private static void delete(Penstock store) {
        store.transact(ConsistencyLevel.SERIALIZABLE, tx -> {
            tx.delete(words(store), "k");
            return true;
        });
    }

    private static void writeOther(Penstock store, String value) {
        words(store).put("k-other", value);
        var unused = store.admin().checkpoint();
    }

    @Test
    void aCheckpointOfALogThatWakesAfterTheTombstoneWasPurgedBringsNothingBack() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock store = strict(cloud, "a")) {
                writeOther(store, "1");
                words(store).put("k", "deleted 40 days ago");
                Task<Boolean> late = frozenCheckpoint(cloud, Duration.ofDays(40));
                cloud.sleep(Duration.ofMinutes(10));
                delete(store);
                writeOther(store, "2");
                cloud.sleep(Duration.ofDays(35));
                writeOther(store, "3"); // purges the tombstone
                cloud.sleep(Duration.ofDays(6));
                var unused = late.join();
                assertThat(found(store)).isEmpty();
            }
        });
    }

    /** Its records are old from the start, so only the turn tells whether they may be written still. */
    @Test
    void aCheckpointOfAnOldLogThatLostItsTurnBringsNothingBack() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock store = strict(cloud, "a")) {
                words(store).put("k", "deleted 31 days ago");
                fillOnePart(store);
                delete(store);
                cloud.sleep(Duration.ofDays(31));
                Task<Boolean> late = frozenCheckpoint(cloud, Duration.ofHours(1));
                cloud.sleep(Duration.ofMinutes(10));
                writeOther(store, "2"); // the tombstone is purged as it comes to its page
                writeOther(store, "3");
                var unused = late.join();
                assertThat(found(store)).isEmpty();
            }
        });
    }

    /** Commits as much as a checkpoint applies before it moves the horizon. */
    private static void fillOnePart(Penstock store) {
        String value = "v".repeat(7_000);
        for (int i = 0; i < 49; i++) {
            int from = i * 100;
            store.transact(ConsistencyLevel.SERIALIZABLE, tx -> {
                for (int j = from; j < from + 100; j++) {
                    tx.put(words(store), "l" + j, value);
                }
                return true;
            });
        }
    }

    /** Of an old delete no tombstone stays, so the page itself must be another one for the put that is on its way. */
    @Test
    void aPutOnItsWayForAMonthDoesNotSurviveADeleteThatIsAppliedLate() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock store = strict(cloud, "a")) {
                writeOther(store, "1");
                words(store).put("k", "deleted 31 days ago");
                Task<Boolean> late = frozenCheckpoint(cloud, Duration.ofDays(32));
                cloud.sleep(Duration.ofMinutes(1));
                delete(store);
                cloud.sleep(Duration.ofDays(31));
                var applied = store.admin().checkpoint();
                var unused = late.join();
                try (Penstock other = strict(cloud, "b")) {
                    assertThat(found(other)).isEmpty();
                }
            }
        });
    }

    /** Nobody checkpoints for longer than tombstones are kept: the log is brought to pages all the same. */
    @Test
    void anOldLogIsApplied() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock store = strict(cloud, "a")) {
                writeOther(store, "1");
                words(store).put("k", "kept");
                cloud.sleep(Duration.ofDays(40));
                writeOther(store, "2");
                assertThat(found(store)).contains("kept");
                assertThat(store.admin().backlog().total()).isZero();
            }
        });
    }
}
