package io.penstock;

import static io.penstock.SimulatedStore.words;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.penstock.core.Bytes;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.SendResult;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A log record of an ATOMIC transaction that its PU queue refuses holds up no other. */
class RefusedRecordTest {
    private static final int BYTES_MAX = 8192;

    private final AtomicInteger taken = new AtomicInteger();

    /** Takes what is small enough, as SQS does. */
    private List<SendResult> takeTheSmall(MessageQueue queue, List<Bytes> bodies) {
        List<SendResult> results = new ArrayList<>();
        for (Bytes body : bodies) {
            if (body.length() > BYTES_MAX) {
                results.add(new SendResult.NotSent(true, "MessageTooLong"));
            } else {
                taken.incrementAndGet();
                results.addAll(queue.send(List.of(body)));
            }
        }
        return results;
    }

    private void othersGoOn(Consumer<FaultyQueues> refusing) {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock first = Penstock.open(cloud.settings("first").pageBytes(64 << 10))) {
                words(first).put("first", "1");
            }
            SimulatedClient machine = cloud.machine("writer");
            FaultyQueues queues = new FaultyQueues(cloud.cloud.queues(machine), "-pu-");
            refusing.accept(queues);
            MeterRegistry meters = new SimpleMeterRegistry();
            Settings settings = Settings.on(cloud.cloud.objects(machine), queues, machine)
                    .level(ConsistencyLevel.ATOMIC)
                    .meters(meters)
                    .advanced(advanced -> advanced.sweeping(false));
            try (Penstock store = Penstock.open(settings);
                    Penstock reader = cloud.open("reader")) {
                store.transact(transaction -> {
                    for (int i = 0; i < 20; i++) {
                        words(store).put("before" + i, "1");
                    }
                    return true;
                });
                words(store).put("huge", "x".repeat(BYTES_MAX + 1000));
                words(store).put("after", "1");
                cloud.sleep(Duration.ofSeconds(10));
                int before = taken.get();
                cloud.sleep(Duration.ofMinutes(1));
                assertThat(new TreeMap<>(SimulatedStore.content(reader)))
                        .hasSize(22)
                        .containsKeys("before0", "before19", "after");
                assertThat(meters.get("penstock.pending.unforwarded").gauge().value())
                        .isEqualTo(1);
                assertThat(taken).hasValue(before);
                queues.heal();
                cloud.sleep(Duration.ofSeconds(10));
            }
        });
    }

    /** The messages of others arrived each time, and were sent again each second. */
    @Test
    void whatTheServerRefuses() {
        othersGoOn(queues -> queues.set(this::takeTheSmall));
    }

    @Test
    void whatTheServerRefusesWithAllThatIsSentWithIt() {
        othersGoOn(queues -> queues.set((queue, bodies) -> {
            if (bodies.stream().anyMatch(body -> body.length() > BYTES_MAX)) {
                throw new InvalidRequestException(ErrorCode.TOO_LARGE, "the server refuses a message");
            }
            return takeTheSmall(queue, bodies);
        }));
    }

    @Test
    void ofADeadClient() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            SimulatedClient dead = cloud.machine("dead");
            Settings settings = cloud.settings("dead")
                    .pageBytes(64 << 10)
                    .advanced(advanced -> advanced.forwardInterval(Duration.ofHours(1)));
            dead.start("work", () -> {
                Penstock store = Penstock.open(settings);
                words(store).put("before", "1");
                words(store).put("huge", "x".repeat(BYTES_MAX + 1000));
                words(store).put("after", "1");
                dead.crash();
            });
            cloud.sleep(Duration.ofMinutes(7));
            SimulatedClient machine = cloud.machine("heir");
            FaultyQueues queues = new FaultyQueues(cloud.cloud.queues(machine), "-pu-");
            queues.set(this::takeTheSmall);
            try (Penstock heir = Penstock.open(Settings.on(cloud.cloud.objects(machine), queues, machine)
                    .level(ConsistencyLevel.ATOMIC)
                    .advanced(advanced -> advanced.sweeping(false)))) {
                assertThat(heir.admin().recover().failed()).isEqualTo(1);
                cloud.sleep(Duration.ofMinutes(5));
                heir.admin().checkpoint();
                assertThat(SimulatedStore.content(heir)).containsOnlyKeys("before", "after");
                int before = taken.get();
                assertThat(heir.admin().recover().failed()).isEqualTo(1);
                assertThat(taken).hasValue(before);
                queues.heal();
                cloud.sleep(Duration.ofMinutes(5));
                assertThat(heir.admin().recover().failed()).isZero();
                cloud.sleep(Duration.ofMinutes(2)); // a listing may miss a new queue for a minute
                heir.admin().checkpoint();
                assertThat(SimulatedStore.content(heir)).containsOnlyKeys("before", "after", "huge");
            }
        });
    }
}
