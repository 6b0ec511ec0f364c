package io.penstock;

import static io.penstock.SimulatedStore.words;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.sim.SimulatedClient;
import io.penstock.core.sim.World;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Two processes that believe to be one, as after a snapshot of a machine was started twice: what each was acknowledged
 * is kept. It was deleted unapplied, since the ledger took the second's commits for repeats of the first's.
 */
class TwinsTest {
    private static Settings settings(SimulatedStore cloud, String machine, long seed, int draws) {
        SimulatedClient client = cloud.machine(machine);
        return Settings.on(cloud.cloud.objects(client), cloud.cloud.queues(client), new TwinTasks(client, seed, draws))
                .pageBytes(1024);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NAIVE")
    void bothKeepWhatTheyWereAcknowledged(ConsistencyLevel level) {
        for (long seed = 1; seed <= 5; seed++) {
            long drawn = seed;
            new SimulatedStore(seed, World.CALM).run(cloud -> {
                Settings a = settings(cloud, "a", drawn, Integer.MAX_VALUE).level(level);
                Settings b = settings(cloud, "b", drawn, Integer.MAX_VALUE).level(level);
                try (Penstock first = Penstock.open(a);
                        Penstock second = Penstock.open(b)) {
                    words(first).put("from-a", "1");
                    first.checkpoint();
                    words(second).put("from-b", "1");
                    cloud.sleep(Duration.ofMinutes(2));
                }
                try (Penstock heir = cloud.open("heir")) {
                    SimulatedStore.settle(heir, cloud.machine("heir"));
                    assertThat(SimulatedStore.content(heir))
                            .as("seed=%d", drawn)
                            .containsKeys("from-a", "from-b");
                }
            });
        }
    }
}
