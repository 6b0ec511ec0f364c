package io.penstock;

import static io.penstock.SimulatedStore.words;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.commit.log.LogRecord;
import io.penstock.commit.log.PuMessage;
import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.record.RecordChange;
import io.penstock.testkit.CallWatcher;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A checkpoint gets through a deep queue, and costs little where the queue is not deep. Times are virtual. */
class BacklogDrainTest {
    private static final int MESSAGES = 5_000;
    private static final int HALF_MIB = 512 << 10;

    @Test
    void aQueueDrainsTwoThousandFiveHundredMessagesASecond() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock store =
                    Penstock.open(cloud.settings("b").pageBytes(65_536).checkpointInterval(Duration.ofHours(10)))) {
                TreeId tree = begin(store);
                List<Bytes> bodies = new ArrayList<>();
                for (int i = 0; i < MESSAGES; i++) {
                    bodies.add(message(cloud, tree, 1_000 + i, 1, "k" + i, 1));
                }
                send(cloud, bodies);
                long before = cloud.simulation.nowNanos();
                long records = store.admin().checkpoint().records();
                double seconds = (cloud.simulation.nowNanos() - before) / 1e9;
                assertThat(records).isEqualTo(MESSAGES);
                assertThat(cloud.depth("pu-")).isZero();
                assertThat(MESSAGES / seconds).as("messages a second").isGreaterThanOrEqualTo(2_500);
            }
        });
    }

    @Test
    void aFewMessagesCostOneReceiveAndAnEmptyOne() {
        for (int messages : new int[] {0, 1, 5, 9}) {
            new SimulatedStore(1, World.CALM).run(cloud -> {
                try (Penstock store = Penstock.open(cloud.settings("b").checkpointInterval(Duration.ofHours(10)))) {
                    TreeId tree = begin(store);
                    List<Bytes> bodies = new ArrayList<>();
                    for (int i = 0; i < messages; i++) {
                        bodies.add(message(cloud, tree, 1_000 + i, 1, "k" + i, 1));
                    }
                    send(cloud, bodies);
                    Map<String, Integer> calls = callsOn(cloud, "-pu-");
                    store.admin().checkpoint();
                    assertThat(calls.get("receive")).as("messages=%d", messages).isEqualTo(messages == 0 ? 1 : 2);
                    assertThat(calls.getOrDefault("delete message", 0)).isEqualTo(messages == 0 ? 0 : 1);
                }
            });
        }
    }

    /**
     * More than a batch of messages waits for an earlier one that never comes. What lies behind them is applied all the
     * same, and they are shown again once, at the end.
     */
    @Test
    void manyMessagesThatAreHeldBackInFrontDoNotKeepOthersFromBeingApplied() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock store = Penstock.open(cloud.settings("b").checkpointInterval(Duration.ofHours(10)))) {
                TreeId tree = begin(store);
                cloud.objects()
                        .put(
                                "penstock/clients/" + new ClientId(7).hex(),
                                Bytes.utf8("{\"state\":\"alive\",\"beat\":\"0000000000000001\"}\n"),
                                io.penstock.core.object.WriteCondition.ALWAYS);
                for (int i = 0; i < 40; i++) {
                    send(cloud, List.of(message(cloud, tree, 7, 2 + i, "held" + i, HALF_MIB)));
                }
                send(cloud, List.of(message(cloud, tree, 8, 1, "free", 1)));
                Map<String, Integer> calls = callsOn(cloud, "-pu-");
                assertThat(store.admin().checkpoint().heldBack()).isEqualTo(40);
                assertThat(words(store).get("free")).isPresent();
                assertThat(calls.get("change visibility")).isEqualTo(40);
                assertThat(cloud.queues("pu-").getFirst().depth().visible()).isEqualTo(40);
                send(cloud, List.of(message(cloud, tree, 7, 1, "first", 1)));
                store.admin().checkpoint();
                store.admin().checkpoint(); // of more than a batch only a part is kept in memory
                assertThat(cloud.depth("pu-")).isZero();
            }
        });
    }

    /** The same client's lists and reads of other clients' objects, however many are gone. */
    @Test
    void theLedgerIsPrunedWithOneListing() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            for (int i = 0; i < 60; i++) {
                Settings settings = cloud.settings("c" + i)
                        .level(ConsistencyLevel.MONOTONIC)
                        .checkpointing(false);
                try (Penstock store = Penstock.open(settings)) {
                    words(store).put("k" + i, "1");
                }
            }
            try (Penstock store = Penstock.open(
                    cloud.settings("b").level(ConsistencyLevel.MONOTONIC).checkpointing(false))) {
                store.admin().checkpoint();
                cloud.sleep(Duration.ofDays(16));
                words(store).put("x", "1");
                Map<String, Integer> calls = callsOn(cloud, "/clients/");
                while (store.admin().checkpoint().busy() > 0) {
                    cloud.sleep(Duration.ofMinutes(3)); // the lock token has expired, and is replaced
                }
                assertThat(calls.getOrDefault("get", 0) + calls.getOrDefault("list", 0))
                        .isEqualTo(1);
                words(store).put("y", "1");
                store.admin().checkpoint();
                assertThat(calls.getOrDefault("get", 0) + calls.getOrDefault("list", 0))
                        .isEqualTo(1);
                String queue = cloud.queues("pu-").getFirst().name().replaceFirst("penstock-pu-[0-9a-f]{10}-", "");
                assertThat(store.admin().inspect().queue(queue).stream().filter(line -> line.startsWith("ledger")))
                        // An idle writer goes on under another identity.
                        .hasSize(2);
            }
        });
    }

    private static TreeId begin(Penstock store) {
        words(store).put("k", "0");
        store.admin().checkpoint();
        return words(store).tree();
    }

    private static Bytes message(SimulatedStore cloud, TreeId tree, long client, long first, String key, int bytes) {
        ClientId id = new ClientId(client);
        Stamp stamp = Stamp.of(cloud.machine("main").nowMillis(), 0, id);
        Bytes value = Bytes.utf8("\"" + "v".repeat(bytes) + "\"");
        return new PuMessage(
                        id, first, List.of(new LogRecord(tree, new RecordChange.Put(Bytes.utf8(key), value, stamp))))
                .encode();
    }

    private static void send(SimulatedStore cloud, List<Bytes> bodies) {
        MessageQueue queue = cloud.queues("pu-").getFirst();
        for (int from = 0; from < bodies.size(); from += 10) {
            queue.send(bodies.subList(from, Math.min(from + 10, bodies.size())));
        }
    }

    /** Counts the calls of the client {@code b} from now on. */
    private static Map<String, Integer> callsOn(SimulatedStore cloud, String part) {
        Map<String, Integer> calls = new TreeMap<>();
        cloud.cloud.watch((step, client, call, on, outcome) -> {
            if (step == CallWatcher.Step.BEGINS && client.name().equals("b") && on.contains(part)) {
                calls.merge(call, 1, Integer::sum);
            }
        });
        return calls;
    }
}
