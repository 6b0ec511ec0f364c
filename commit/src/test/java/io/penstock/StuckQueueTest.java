package io.penstock;

import static io.penstock.SimulatedStore.words;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.UnavailableException;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A queue whose requests hang until they fail holds up no checkpoint of another queue. */
class StuckQueueTest {
    @Test
    void oneQueueInItsRetriesDelaysNoOther() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            SimulatedClient machine = cloud.machine("a");
            AtomicBoolean stuck = new AtomicBoolean();
            String[] stuckQueue = {""};
            FaultyQueues queues = new FaultyQueues(cloud.cloud.queues(machine), "-pu-");
            queues.beforeReceive = name -> {
                if (stuck.get() && name.equals(stuckQueue[0])) {
                    machine.sleep(Duration.ofMinutes(5));
                    throw new UnavailableException("the queue does not answer");
                }
            };
            Settings settings = Settings.on(cloud.cloud.objects(machine), queues, machine)
                    .pageBytes(1024)
                    .advanced(advanced -> advanced.sweeping(false))
                    .level(ConsistencyLevel.MONOTONIC);
            Penstock store = Penstock.open(settings);
            words(store).put("a", "1");
            stuckQueue[0] = cloud.queues("pu-").getFirst().name();
            RecordCollection<String, String> others = store.collection("others", Keys.string(), Json.of(String.class));
            others.put("b", "1");
            stuck.set(true);
            cloud.sleep(Duration.ofSeconds(40));
            try (Penstock reader = cloud.open("reader")) {
                assertThat(reader.collection("others", Keys.string(), Json.of(String.class))
                                .get("b"))
                        .hasValue("1");
                assertThat(words(reader).get("a")).isEmpty();
            }
            stuck.set(false);
            cloud.sleep(Duration.ofMinutes(6));
            try (Penstock reader = cloud.open("reader2")) {
                assertThat(words(reader).get("a")).hasValue("1");
            }
            store.close();
        });
    }
}
