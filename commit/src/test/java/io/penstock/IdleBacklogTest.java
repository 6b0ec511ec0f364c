package io.penstock;

import static io.penstock.SimulatedStore.words;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The backlog of a store at rest is empty, also beside living clients that have committed only a little. */
class IdleBacklogTest {
    @Test
    void theBacklogReachesZeroBesideALivingClient() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock store = cloud.open("a")) {
                for (int i = 0; i < 3; i++) {
                    words(store).put("a" + i, "1");
                    cloud.sleep(Duration.ofSeconds(2));
                }
                cloud.sleep(Duration.ofMinutes(3));
                assertThat(store.admin().backlog().total()).isZero();
                cloud.sleep(Duration.ofMinutes(7)); // after some minutes it signs off, and removes its queue
                List<String> calls = new ArrayList<>();
                cloud.cloud.watch((step, client, call, on, outcome) -> {
                    if (on.contains("-at-")) {
                        calls.add(call);
                    }
                });
                cloud.sleep(Duration.ofHours(1));
                assertThat(calls).as("a client at rest asks nothing").isEmpty();
            }
        });
    }
}
