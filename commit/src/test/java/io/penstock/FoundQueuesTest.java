package io.penstock;

import static io.penstock.SimulatedStore.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.RefusedException;
import io.penstock.core.queue.QueueConfiguration;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** PU queues that somebody else made, with a configuration of their own: they used to be sent to without a look. */
class FoundQueuesTest {
    private static final int SMALL = 262_144;

    private record Change(String name, UnaryOperator<QueueConfiguration> change) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static final List<Change> FAULTS = List.of(
            new Change(
                    "RedrivePolicy",
                    q -> new QueueConfiguration(q.retention(), q.delay(), q.messageBytes(), true, q.fifo())),
            new Change(
                    "DelaySeconds",
                    q -> new QueueConfiguration(
                            q.retention(), Duration.ofSeconds(5), q.messageBytes(), q.redrives(), q.fifo())),
            new Change(
                    "MessageRetentionPeriod",
                    q -> new QueueConfiguration(
                            Duration.ofDays(4), q.delay(), q.messageBytes(), q.redrives(), q.fifo())),
            new Change("MaximumMessageSize", q -> limited(q, 1024)),
            new Change(
                    "standard queue",
                    q -> new QueueConfiguration(q.retention(), q.delay(), q.messageBytes(), q.redrives(), true)));

    private static QueueConfiguration limited(QueueConfiguration q, int messageBytes) {
        return new QueueConfiguration(q.retention(), q.delay(), messageBytes, q.redrives(), q.fifo());
    }

    /** Runs a client on queues that were there before it. */
    private static void onFoundQueues(ConsistencyLevel level, BiConsumer<FaultyQueues, Penstock> body) {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock maker = Penstock.open(cloud.settings("maker").pageBytes(64 << 10))) {
                words(maker).put("made", "1");
            }
            SimulatedClient machine = cloud.machine("a");
            FaultyQueues queues = new FaultyQueues(cloud.cloud.queues(machine), "-pu-");
            Settings settings = Settings.on(cloud.cloud.objects(machine), queues, machine)
                    .level(level)
                    .advanced(advanced -> advanced.sweeping(false));
            try (Penstock store = Penstock.open(settings)) {
                body.accept(queues, store);
            }
        });
    }

    static Stream<Arguments> sending() {
        return Levels.except(
                        ConsistencyLevel.NAIVE,
                        ConsistencyLevel.ATOMIC,
                        ConsistencyLevel.SNAPSHOT,
                        ConsistencyLevel.SERIALIZABLE)
                .stream()
                .flatMap(level -> FAULTS.stream().map(fault -> Arguments.of(level, fault)));
    }

    @ParameterizedTest
    @MethodSource("sending")
    void oneThatWouldLoseMessagesIsRefused(ConsistencyLevel level, Change fault) {
        onFoundQueues(level, (queues, store) -> {
            queues.configured(fault.change);
            assertThatThrownBy(() -> words(store).put("a", "1"))
                    .isInstanceOf(RefusedException.class)
                    .hasMessageContaining(fault.name);
            assertThatThrownBy(() -> store.admin().provision(words(store))).isInstanceOf(RefusedException.class);
            // What is in the queue already is applied all the same.
            assertThat(store.admin().checkpoint().queues()).isEqualTo(1);
            queues.configured(UnaryOperator.identity());
            words(store).put("a", "2");
            store.admin().checkpoint();
            assertThat(words(store).get("a")).contains("2");
        });
    }

    /** Acknowledged transactions stay in the ATOMIC queue until the operator has set the other right. */
    @ParameterizedTest
    @MethodSource("faults")
    void forwardingWaitsForTheOperator(Change fault) {
        onFoundQueues(ConsistencyLevel.ATOMIC, (queues, store) -> {
            queues.configured(fault.change);
            words(store).put("a", "1");
            assertThatThrownBy(store::flush)
                    .isInstanceOf(RefusedException.class)
                    .hasMessageContaining(fault.name);
            queues.configured(UnaryOperator.identity());
            store.flush();
            assertThat(store.admin().checkpoint().records()).isEqualTo(1);
        });
    }

    /** A payload for which a message of the service has room, and the queue's has not. */
    @ParameterizedTest
    @MethodSource("weak")
    void aPayloadFitsEveryQueue(ConsistencyLevel level) {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            SimulatedClient machine = cloud.machine("a");
            FaultyQueues queues = new FaultyQueues(cloud.cloud.queues(machine), "-pu-");
            Settings settings = Settings.on(cloud.cloud.objects(machine), queues, machine)
                    .level(level)
                    .pageBytes(4 << 20)
                    .checkpointing(false)
                    .advanced(advanced -> advanced.sweeping(false));
            try (Penstock maker = Penstock.open(settings)) {
                words(maker).put("made", "1");
                maker.flush();
            }
            queues.configured(q -> limited(q, SMALL));
            String large = "b".repeat(600 << 10);
            try (Penstock store = Penstock.open(settings)) {
                words(store).put("large", large);
                words(store).put("after", "2");
                store.flush();
                store.admin().checkpoint();
                assertThat(store.admin().backlog().total()).isZero();
                assertThat(words(store).get("large")).hasValue(large);
            }
        });
    }

    static List<ConsistencyLevel> weak() {
        return Levels.except(ConsistencyLevel.NAIVE, ConsistencyLevel.SNAPSHOT, ConsistencyLevel.SERIALIZABLE);
    }

    static List<Change> faults() {
        return FAULTS;
    }

    @ParameterizedTest
    @MethodSource("queued")
    void oneForSmallerMessagesGetsSmallerMessages(ConsistencyLevel level) {
        onFoundQueues(level, (queues, store) -> {
            queues.configured(q -> limited(q, SMALL));
            List<Integer> sizes = new ArrayList<>();
            queues.set((inner, bodies) -> {
                bodies.forEach(body -> sizes.add(body.length()));
                return inner.send(bodies);
            });
            RecordCollection<String, Bytes> large = store.collection("words", Keys.string(), PayloadCodec.bytes());
            store.transact(tx -> {
                for (int i = 0; i < 60; i++) {
                    tx.put(large, "k" + i, Bytes.wrap(new byte[10_000]));
                }
                return true;
            });
            store.flush();
            assertThat(sizes).hasSizeGreaterThan(2).allMatch(size -> size <= SMALL);
            assertThat(queues.asked()).as("requests").isEqualTo(1);
        });
    }

    static List<ConsistencyLevel> queued() {
        return Levels.except(ConsistencyLevel.NAIVE, ConsistencyLevel.SNAPSHOT, ConsistencyLevel.SERIALIZABLE);
    }
}
