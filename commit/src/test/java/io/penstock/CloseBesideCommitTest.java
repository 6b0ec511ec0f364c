package io.penstock;

import static io.penstock.SimulatedStore.words;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.StoreException;
import io.penstock.core.task.Task;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.World;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * A store that is closed while another thread commits: what was acknowledged is there, and nothing is acknowledged
 * after the close.
 */
class CloseBesideCommitTest {
    /** Some sends take longer than a sign-off, and a queue that was just deleted seems to take them. */
    private static final World SLOW = new World(0, 0, 0.3, Duration.ZERO, 0, 0.5, Duration.ZERO);

    @Test
    void aCommitThatIsUnderWayWhenTheStoreIsClosed() {
        int acknowledged = 0;
        for (ConsistencyLevel level : Levels.except(ConsistencyLevel.NAIVE)) {
            for (int millis = 0; millis < 300; millis += 6) {
                acknowledged += isKept(level, World.CALM, millis) ? 1 : 0;
                acknowledged += isKept(level, SLOW, millis) ? 1 : 0;
            }
        }
        assertThat(acknowledged).as("commits that were under way").isGreaterThan(20);
    }

    /** Commits before, so that all queues are there, and waits until nothing is left of it. */
    private static void rest(SimulatedStore cloud, RecordCollection<String, String> words) {
        words.put("before", "v");
        cloud.sleep(Duration.ofMinutes(1));
    }

    /** Closes the store some time after a commit has begun; whether it was acknowledged. */
    private static boolean isKept(ConsistencyLevel level, World world, int millis) {
        boolean[] acknowledged = new boolean[1];
        long[] endedNanos = new long[1];
        new SimulatedStore(millis, world).run(cloud -> {
            SimulatedClient machine = cloud.machine("a");
            Penstock store = Penstock.open(cloud.settings("a").level(level));
            RecordCollection<String, String> words = words(store);
            if (millis % 4 == 0) {
                rest(cloud, words);
            }
            Task<Boolean> commit = machine.start("commit", () -> {
                try {
                    words.put("k", "v");
                    acknowledged[0] = true;
                    endedNanos[0] = machine.nanoTime();
                } catch (StoreException notCommitted) {
                    acknowledged[0] = false;
                }
            });
            cloud.sleep(Duration.ofMillis(millis));
            store.close();
            long closedNanos = machine.nanoTime();
            commit.join();
            assertThat(acknowledged[0] && endedNanos[0] > closedNanos)
                    .as("acknowledged after the close, level=%s world=%s after %d ms", level, world, millis)
                    .isFalse();
            cloud.cloud.setWorld(World.CALM);
            try (Penstock other = cloud.open("b")) {
                SimulatedStore.settle(other, cloud.machine("b"));
                assertThat(words(other).get("k").isPresent())
                        .as("level=%s world=%s closed after %d ms", level, world, millis)
                        .isEqualTo(acknowledged[0]);
            }
        });
        return acknowledged[0];
    }
}
