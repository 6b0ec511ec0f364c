package io.penstock.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.UnavailableException;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.task.Promise;
import io.penstock.core.task.Task;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Interrupts of simulated threads, and messages that change behind their clients' backs. */
class InterruptsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void aThreadOfTheProgramIsInterruptedAndATaskOfTheLibraryIsNot() {
        Simulation simulation = new Simulation(1);
        simulation.run(() -> {
            SimulatedClient machine = simulation.client("a");
            Promise<Boolean> never = machine.promise();
            Task<Boolean> thread = machine.startThread("thread", never::await);
            Task<Boolean> task = machine.start("task", () -> machine.sleep(SECOND.multipliedBy(3)));
            simulation.client("main").sleep(SECOND);
            machine.interrupt();
            assertThatThrownBy(thread::join).isInstanceOf(UnavailableException.class);
            assertThat(simulation.nowNanos()).isEqualTo(SECOND.toNanos());
            assertThat(task.join()).isTrue();
            return true;
        });
    }

    @Test
    void anInterruptWaitsForTheEndOfAShield() {
        Simulation simulation = new Simulation(2);
        simulation.run(() -> {
            SimulatedClient machine = simulation.client("a");
            Task<Boolean> thread = machine.startThread("thread", () -> {
                assertThat(machine.<Boolean>uninterruptibly("work", () -> {
                            machine.sleep(SECOND.multipliedBy(3));
                            return true;
                        }))
                        .isTrue();
                assertThatThrownBy(() -> machine.sleep(SECOND)).isInstanceOf(UnavailableException.class);
                assertThat(machine.clearInterrupt()).isTrue();
                assertThat(machine.clearInterrupt()).isFalse();
                machine.sleep(SECOND);
            });
            simulation.client("main").sleep(SECOND);
            machine.interrupt();
            assertThat(thread.join()).isTrue();
            assertThat(simulation.nowNanos()).isEqualTo(SECOND.multipliedBy(4).toNanos());
            return true;
        });
    }

    @Test
    void messagesAreChangedAndTakenAway() {
        Simulation simulation = new Simulation(3);
        SimulatedCloud cloud = new SimulatedCloud(simulation, Profile.AWS_2026, World.CALM);
        simulation.run(() -> {
            MessageQueue queue = cloud.queues(simulation.client("a")).create("q", QueueAttributes.STANDARD);
            queue.send(List.of(Bytes.utf8("gone"), Bytes.utf8("kept")));
            cloud.tamper((name, body, receives) ->
                    body.toUtf8().equals("gone") ? Optional.empty() : Optional.of(Bytes.utf8(name + receives)));
            assertThat(queue.receive(10, SECOND, SECOND))
                    .extracting(delivery -> delivery.body().toUtf8())
                    .containsExactly("q0");
            return true;
        });
    }
}
