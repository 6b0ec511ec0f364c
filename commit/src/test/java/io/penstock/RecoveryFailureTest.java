package io.penstock;

import static io.penstock.SimulatedStore.words;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Bytes;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.sim.CallWatcher;
import io.penstock.core.sim.SimulatedClient;
import io.penstock.core.sim.World;
import io.penstock.report.RecoveryReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What goes wrong with one dead client keeps a recovery from none of the others, and a sweep from no checkpoint. */
class RecoveryFailureTest {
    /** Two clients commit and crash before they have forwarded anything. */
    private static List<String> leaveTwoDead(SimulatedStore cloud) {
        for (String name : List.of("a", "b")) {
            SimulatedClient machine = cloud.machine(name);
            Settings settings = cloud.settings(name).forwardInterval(Duration.ofHours(1));
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

    /** The dead client was only asleep, and closes between the look at its queue and the first receive. */
    @Test
    void aQueueThatVanishesMeanwhileIsADrainedOne() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            String vanishing = leaveTwoDead(cloud).getFirst();
            SimulatedClient machine = cloud.machine("heir");
            cloud.cloud.watch((step, client, call, on, outcome) -> {
                if (client == machine && on.equals(vanishing) && call.equals("receive")) {
                    if (step == CallWatcher.Step.BEGINS) {
                        machine.freeze(Duration.ofSeconds(10));
                    }
                }
            });
            cloud.machine("main").start("owner", () -> {
                cloud.sleep(Duration.ofSeconds(3));
                cloud.queues().delete(vanishing);
            });
            try (Penstock heir = cloud.open("heir")) {
                RecoveryReport report = heir.recover();
                assertThat(report.clients()).isEqualTo(2);
                assertThat(report.forwarded()).isEqualTo(1);
                assertThat(report.failed()).isZero();
                cloud.sleep(Duration.ofMinutes(2)); // a listing may miss a new queue for a minute
                heir.checkpoint();
                assertThat(SimulatedStore.content(heir)).hasSize(1);
            }
        });
    }

    /** A client's queue that refuses what is asked of it, by a message that cannot be kept in quarantine. */
    @Test
    void aFailureWithOneIsToldAndLeavesTheOthersTheirs() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            String bad = leaveTwoDead(cloud).getFirst();
            SimulatedClient machine = cloud.machine("heir");
            cloud.cloud.watch((step, client, call, on, outcome) -> {
                if (client == machine && on.equals(bad) && call.equals("receive")) {
                    throw new io.penstock.core.UnavailableException("this queue is bad");
                }
            });
            try (Penstock heir = Penstock.open(cloud.settings("heir").callBudget(Duration.ofSeconds(1)))) {
                RecoveryReport report = heir.recover();
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
                        throw new io.penstock.core.UnavailableException("no listing");
                    }
                });
                Settings daemon = cloud.settings("daemon").sweepEvery(Duration.ofSeconds(30)).callBudget(Duration.ofSeconds(1));
                try (Penstock sweeper = Penstock.open(daemon)) {
                    cloud.sleep(Duration.ofMinutes(3));
                    assertThat(sweeper.backlog().pendingMessages()).isZero();
                }
            }
        });
    }
}
