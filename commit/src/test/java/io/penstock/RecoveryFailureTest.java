package io.penstock;

import static io.penstock.SimulatedStore.words;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Bytes;
import io.penstock.core.UnavailableException;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.queue.QueueLimits;
import io.penstock.core.queue.QueueService;
import io.penstock.report.RecoveryReport;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What goes wrong with one dead client keeps a recovery from none of the others, and a sweep from no checkpoint. */
class RecoveryFailureTest {
    /** Two clients commit and crash before they have forwarded anything. */
    private static List<String> leaveTwoDead(SimulatedStore cloud) {
        for (String name : List.of("a", "b")) {
            SimulatedClient machine = cloud.machine(name);
            Settings settings =
                    cloud.settings(name).advanced(advanced -> advanced.forwardInterval(Duration.ofHours(1)));
            machine.start("work", () -> {
                words(Penstock.open(settings)).put(name, "1");
                machine.crash();
            });
            cloud.sleep(Duration.ofSeconds(10));
        }
        cloud.sleep(Duration.ofMinutes(6));
        List<String> queues = new ArrayList<>(cloud.queues().list("penstock-at-"));
        assertThat(queues).hasSize(2);
        return queues;
    }

    /** A queue service in which one queue is deleted as soon as it was found, by the owner who wakes up and closes. */
    private record VanishingQueues(QueueService inner, AtomicReference<String> vanishing) implements QueueService {
        @Override
        public Optional<MessageQueue> find(String name) {
            Optional<MessageQueue> found = inner.find(name);
            if (name.equals(vanishing.get())) {
                inner.delete(name);
            }
            return found;
        }

        @Override
        public MessageQueue create(String name, QueueAttributes attributes) {
            return inner.create(name, attributes);
        }

        @Override
        public List<String> list(String prefix) {
            return inner.list(prefix);
        }

        @Override
        public void delete(String name) {
            inner.delete(name);
        }

        @Override
        public QueueLimits limits() {
            return inner.limits();
        }

        @Override
        public void close() {
            inner.close();
        }
    }

    @Test
    void aQueueThatVanishesMeanwhileIsADrainedOne() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            SimulatedClient machine = cloud.machine("heir");
            AtomicReference<String> vanishing = new AtomicReference<>("");
            QueueService queues = new VanishingQueues(cloud.cloud.queues(machine), vanishing);
            Settings settings = Settings.on(cloud.cloud.objects(machine), queues, machine)
                    .level(ConsistencyLevel.ATOMIC)
                    .pageBytes(1024)
                    .advanced(advanced -> advanced.sweeping(false));
            // Opened before the others die, so that its first recovery is the one below.
            try (Penstock heir = Penstock.open(settings)) {
                vanishing.set(leaveTwoDead(cloud).getFirst());
                RecoveryReport report = heir.admin().recover();
                assertThat(report.failed()).isZero();
                assertThat(report.clients()).isEqualTo(2);
                cloud.sleep(Duration.ofMinutes(2)); // a listing may miss a new queue for a minute
                heir.admin().checkpoint();
                assertThat(SimulatedStore.content(heir)).hasSize(1);
            }
        });
    }

    /** The queue of one of the dead does not answer. */
    @Test
    void aFailureWithOneIsToldAndLeavesTheOthersTheirs() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            String bad = leaveTwoDead(cloud).getFirst();
            SimulatedClient machine = cloud.machine("heir");
            cloud.cloud.watch((step, client, call, on, outcome) -> {
                if (client == machine && on.equals(bad) && call.equals("receive")) {
                    throw new UnavailableException("this queue is bad");
                }
            });
            try (Penstock heir = Penstock.open(cloud.settings("heir").callBudget(Duration.ofSeconds(1)))) {
                RecoveryReport report = heir.admin().recover();
                assertThat(report.clients()).isEqualTo(1);
                assertThat(report.forwarded()).isEqualTo(1);
                assertThat(report.failed()).isEqualTo(1);
            }
        });
    }

    /** A daemon's sweep goes on to its checkpoints, though it cannot even list the clients. */
    @Test
    void aSweepCheckpointsAlsoWhenNobodyCanBeRecovered() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock writer = Penstock.open(cloud.settings("a").checkpointing(false))) {
                words(writer).put("a", "1");
                writer.flush();
                cloud.objects().put("penstock/clients/0123456789abcdef", Bytes.utf8("{}"), WriteCondition.ALWAYS);
                cloud.sleep(Duration.ofMinutes(6));
                SimulatedClient machine = cloud.machine("daemon");
                cloud.cloud.watch((step, client, call, on, outcome) -> {
                    if (client == machine && call.equals("list") && on.contains("clients/")) {
                        throw new UnavailableException("no listing");
                    }
                });
                Settings daemon = cloud.settings("daemon")
                        .advanced(advanced -> advanced.sweepEvery(Duration.ofSeconds(30)))
                        .callBudget(Duration.ofSeconds(1));
                try (Penstock sweeper = Penstock.open(daemon)) {
                    cloud.sleep(Duration.ofMinutes(3));
                    assertThat(sweeper.admin().backlog().pendingMessages()).isZero();
                }
            }
        });
    }
}
