package io.penstock.commit.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Bytes;
import io.penstock.core.memory.ByteBudget;
import io.penstock.core.queue.Delivery;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.testkit.Profile;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.SimulatedCloud;
import io.penstock.testkit.Simulation;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Checkpoints take as many messages into memory as there is room for, and go on whatever there is. */
class ReceivedBatchTest {
    private static final int MESSAGES = 400;
    private static final int BYTES = 10_000;

    private static CheckpointSettings settings(ByteBudget memory) {
        Duration minute = Duration.ofMinutes(1);
        return new CheckpointSettings(
                minute, 16 << 20, 10, Duration.ZERO, minute, Lifetimes.of(minute, minute, false), memory);
    }

    /** The sizes of the batches in which a queue is emptied. */
    private static List<Integer> batches(ByteBudget memory) {
        List<Integer> sizes = new ArrayList<>();
        Simulation simulation = new Simulation(1);
        SimulatedCloud cloud = new SimulatedCloud(simulation, Profile.INSTANT, World.CALM);
        SimulatedClient machine = simulation.client("reader");
        simulation.run(() -> {
            MessageQueue queue = cloud.queues(machine).create("q", QueueAttributes.STANDARD);
            for (int i = 0; i < MESSAGES; i++) {
                queue.send(List.of(Bytes.wrap(new byte[BYTES])));
            }
            ReceivedBatch intake = new ReceivedBatch(machine, queue, settings(memory), machine.nowMillis());
            for (List<Delivery> batch = intake.receive(false); !batch.isEmpty(); batch = intake.receive(false)) {
                sizes.add(batch.size());
                intake.delete(batch);
                intake.drop(batch);
            }
            intake.show();
            return true;
        });
        return sizes;
    }

    @Test
    void takesNoMoreThanThereIsMemoryFor() {
        ByteBudget plenty = new ByteBudget(1L << 30);
        assertThat(batches(plenty)).containsExactly(MESSAGES);
        assertThat(plenty.used()).isZero();
        ByteBudget little = new ByteBudget(ReceivedBatch.MEMORY_FACTOR * 60L * BYTES);
        assertThat(batches(little)).hasSizeGreaterThan(4).allMatch(size -> size <= 100);
        assertThat(little.used()).isZero();
    }

    @Test
    void goesOnWithoutAnyMemory() {
        ByteBudget none = new ByteBudget(1);
        none.take(1);
        assertThat(batches(none).stream().mapToInt(Integer::intValue).sum()).isEqualTo(MESSAGES);
        assertThat(none.used()).isEqualTo(1);
    }
}
