package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.UnavailableException;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.SendResult;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * One PU queue that refuses all sends, as with a missing right: what is meant for the others reaches them once, and the
 * client keeps its ids. It used to send everything again each second, under a new id each time.
 */
class RefusingQueueTest {
    /** Counts sends to PU queues, and refuses those to the one that is named. */
    private static final class Refusing implements FaultyQueues.Fault {
        final Map<String, Integer> sends = new HashMap<>();
        String refused = "";

        @Override
        public List<SendResult> send(MessageQueue inner, List<Bytes> bodies) {
            sends.merge(inner.name(), 1, Integer::sum);
            if (inner.name().equals(refused)) {
                throw new UnavailableException("access denied", "queue", refused);
            }
            return inner.send(bodies);
        }
    }

    @Test
    void aTransactionIsForwardedToTheOtherQueuesOnce() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            SimulatedClient machine = cloud.machine("a");
            FaultyQueues queues = new FaultyQueues(cloud.cloud.queues(machine), "-pu-");
            Refusing refusing = new Refusing();
            queues.set(refusing);
            Settings settings = Settings.on(cloud.cloud.objects(machine), queues, machine)
                    .level(ConsistencyLevel.ATOMIC)
                    .advanced(advanced -> advanced.sweeping(false));
            try (Penstock store = Penstock.open(settings.closeWithin(Duration.ofSeconds(5)))) {
                RecordCollection<String, String> good = collection(store, "good");
                RecordCollection<String, String> bad = collection(store, "bad");
                put(store, good, bad, "warm");
                cloud.sleep(Duration.ofSeconds(5));
                refusing.refused = queueOf(cloud, bad);
                String healthy = queueOf(cloud, good);
                int before = refusing.sends.get(healthy);
                put(store, good, bad, "1");
                put(store, good, bad, "2");
                cloud.sleep(Duration.ofMinutes(30));
                assertThat(refusing.sends.get(healthy) - before).isBetween(1, 2);
                assertThat(cloud.keys("clients/"))
                        .as("the client and its two senders")
                        .hasSizeLessThan(4);
                assertThat(good.get("2")).contains("2");
                refusing.refused = "";
                cloud.sleep(Duration.ofMinutes(1));
                try (Penstock reader = cloud.open("reader")) {
                    assertThat(collection(reader, "bad").get("2")).contains("2");
                    assertThat(collection(reader, "good").get("2")).contains("2");
                }
            }
        });
    }

    /** What was certainly not sent leaves no hole: the next commit goes on under the same id, in order. */
    @Test
    void aSendThatDidNotHappenCostsNoNumbers() {
        new SimulatedStore(2, World.CALM).run(cloud -> {
            SimulatedClient machine = cloud.machine("a");
            FaultyQueues queues = new FaultyQueues(cloud.cloud.queues(machine), "-pu-");
            Refusing refusing = new Refusing();
            queues.set(refusing);
            Settings settings = Settings.on(cloud.cloud.objects(machine), queues, machine)
                    .level(ConsistencyLevel.MONOTONIC)
                    .callBudget(Duration.ofMillis(100))
                    .advanced(advanced -> advanced.sweeping(false));
            try (Penstock store = Penstock.open(settings)) {
                RecordCollection<String, String> words = collection(store, "good");
                words.put("a", "1");
                List<String> clients = cloud.keys("clients/");
                refusing.refused = queueOf(cloud, words);
                for (int i = 0; i < 10; i++) {
                    assertThatThrownBy(() -> words.put("b", "2")).isInstanceOf(UnavailableException.class);
                }
                refusing.refused = "";
                words.put("c", "3");
                assertThat(cloud.keys("clients/")).isEqualTo(clients);
                assertThat(store.admin().checkpoint().heldBack()).isZero();
                assertThat(words.get("b")).isEmpty();
                assertThat(words.get("c")).contains("3");
            }
        });
    }

    private static RecordCollection<String, String> collection(Penstock store, String name) {
        return store.collection(name, Keys.string(), Json.of(String.class));
    }

    private static void put(
            Penstock store, RecordCollection<String, String> good, RecordCollection<String, String> bad, String key) {
        store.transact(tx -> {
            tx.put(good, key, key);
            tx.put(bad, key, key);
            return true;
        });
    }

    private static String queueOf(SimulatedStore cloud, RecordCollection<String, String> collection) {
        String tree = collection.tree().hex();
        return cloud.queues("pu-").stream()
                .map(MessageQueue::name)
                .filter(name -> name.contains(tree))
                .findFirst()
                .orElseThrow();
    }
}
