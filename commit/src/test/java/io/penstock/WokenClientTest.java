package io.penstock;

import static io.penstock.SimulatedStore.words;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.testkit.World;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * A client that slept for longer than {@code deadAfter} and was recovered meanwhile, such as a laptop: it closes like
 * any other. It used to wait for messages that the recovery had deleted, and stayed on record for weeks.
 */
class WokenClientTest {
    @Test
    void closesAtOnceAndLeavesNothing() {
        for (long seed = 1; seed <= 5; seed++) {
            String run = "seed=" + seed;
            new SimulatedStore(seed, World.CALM).run(cloud -> {
                boolean[] closed = {false};
                cloud.machine("sleeper").start("work", () -> {
                    // Forwarded before the sleep, and not yet deleted.
                    try (Penstock sleeper = cloud.open("sleeper")) {
                        for (int i = 0; i < 5; i++) {
                            words(sleeper).put("k" + i, "v");
                        }
                        cloud.machine("sleeper").sleep(Duration.ofSeconds(4));
                        cloud.machine("sleeper").freeze(Duration.ofMinutes(10));
                        cloud.machine("sleeper").sleep(Duration.ofSeconds(1));
                    }
                    closed[0] = true;
                });
                cloud.sleep(Duration.ofMinutes(8));
                try (Penstock heir = cloud.open("heir")) {
                    heir.admin().recover();
                    heir.admin().checkpoint();
                    cloud.sleep(Duration.ofMinutes(2).plusSeconds(20));
                    assertThat(closed[0]).as(run).isTrue();
                    assertThat(SimulatedStore.content(heir)).as(run).hasSize(5);
                }
                assertThat(cloud.keys("clients/")).as(run).isEmpty();
                assertThat(cloud.queues("at-")).as(run).isEmpty();
            });
        }
    }
}
