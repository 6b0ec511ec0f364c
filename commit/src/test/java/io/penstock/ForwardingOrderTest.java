package io.penstock;

import static io.penstock.SimulatedStore.words;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.penstock.commit.log.LogRecord;
import io.penstock.commit.log.PuMessage;
import io.penstock.core.Bytes;
import io.penstock.core.UnavailableException;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Transactions reach the PU queues in the order in which they were committed, whatever came in between. */
class ForwardingOrderTest {
    @Test
    void whatWaitedForAnOutageIsForwardedInOrder() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            SimulatedClient machine = cloud.machine("a");
            FaultyQueues queues = new FaultyQueues(cloud.cloud.queues(machine), "pu-");
            List<String> forwarded = new ArrayList<>();
            try (Penstock store = Penstock.open(Settings.on(cloud.cloud.objects(machine), queues, machine)
                    .level(ConsistencyLevel.ATOMIC)
                    .advanced(advanced -> advanced.sweeping(false))
                    .checkpointing(false))) {
                queues.set((inner, bodies) -> {
                    throw new UnavailableException("an outage");
                });
                List<String> committed = List.of("a", "b", "c", "d");
                committed.forEach(key -> words(store).put(key, "v"));
                cloud.sleep(Duration.ofSeconds(30));
                queues.set((inner, bodies) -> {
                    bodies.forEach(body -> forwarded.addAll(keys(body)));
                    return inner.send(bodies);
                });
                cloud.sleep(Duration.ofSeconds(30));
                assertThat(forwarded).isEqualTo(committed);
            }
        });
    }

    /** Transactions that travelled together used to wait for all their ledgers together. */
    @Test
    void aTransactionWaitsForTheQueuesOfItsOwnRecordsAlone() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            SimulatedClient machine = cloud.machine("a");
            FaultyQueues queues = new FaultyQueues(cloud.cloud.queues(machine), "pu-");
            MeterRegistry meters = new SimpleMeterRegistry();
            try (Penstock store = Penstock.open(Settings.on(cloud.cloud.objects(machine), queues, machine)
                            .level(ConsistencyLevel.ATOMIC)
                            .advanced(advanced -> advanced.sweeping(false))
                            .checkpointing(false)
                            .meters(meters));
                    Penstock other = cloud.open("b")) {
                queues.set((inner, bodies) -> {
                    if (bodies.stream().anyMatch(body -> keys(body).contains("away"))) {
                        throw new UnavailableException("an outage");
                    }
                    return inner.send(bodies);
                });
                words(store).put("here", "v");
                store.collection("others", Keys.string(), Json.of(String.class)).put("away", "v");
                cloud.sleep(Duration.ofSeconds(30));
                other.admin().checkpoint();
                cloud.sleep(Duration.ofSeconds(30));
                assertThat(meters.get("penstock.pending.unforwarded").gauge().value())
                        .isEqualTo(1);
                assertThat(meters.get("penstock.pending.unapplied").gauge().value())
                        .isEqualTo(1);
                queues.set((inner, bodies) -> inner.send(bodies));
            }
        });
    }

    private static List<String> keys(Bytes body) {
        List<String> keys = new ArrayList<>();
        for (LogRecord record : PuMessage.decode(body, "pu").records()) {
            keys.add(Keys.string().decode(record.change().key()));
        }
        return keys;
    }
}
