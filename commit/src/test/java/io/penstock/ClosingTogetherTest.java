package io.penstock;

import static io.penstock.SimulatedStore.words;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.task.Task;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Many clients of one store close together: each is soon done, and nothing is left behind. Times are virtual. */
class ClosingTogetherTest {
    private static final int CLIENTS = 200;

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NAIVE")
    void allAreSoonDoneAndLeaveNothing(ConsistencyLevel level) {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            List<Penstock> stores = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                Penstock store = Penstock.open(cloud.settings("c" + i).level(level));
                words(store).put("k" + i, "1");
                stores.add(store);
            }
            cloud.sleep(Duration.ofSeconds(2));
            List<Task<Long>> closing = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                Penstock store = stores.get(i);
                closing.add(cloud.machine("c" + i).fork("close", () -> {
                    long before = cloud.simulation.nowNanos();
                    store.close();
                    return (cloud.simulation.nowNanos() - before) / 1_000_000;
                }));
            }
            List<Long> millis = closing.stream().map(Task::join).sorted().toList();
            String run = "level=" + level + " median=" + millis.get(CLIENTS / 2) + " max=" + millis.getLast();
            assertThat(millis.get(CLIENTS * 99 / 100)).as(run).isLessThanOrEqualTo(10_000);
            assertThat(cloud.keys("clients/")).as(run).isEmpty();
            assertThat(cloud.queues("at-")).as(run).isEmpty();
            assertThat(cloud.depth("pu-")).as(run).isZero();
            try (Penstock other = cloud.open("other")) {
                assertThat(SimulatedStore.content(other)).as(run).hasSize(CLIENTS);
            }
        });
    }
}
