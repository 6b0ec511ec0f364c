package io.penstock.core.seal;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Bytes;
import io.penstock.core.object.memory.MemoryObjectStore;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.queue.QueueService;
import io.penstock.core.queue.memory.MemoryQueueService;
import io.penstock.core.task.Tasks;
import io.penstock.testing.MessageQueueContract;
import io.penstock.testing.ShiftedTasks;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A sealed queue service keeps the contract, and delivers what was done to a message as no message. */
class SealedQueueServiceTest extends MessageQueueContract {
    private final ShiftedTasks tasks = new ShiftedTasks();
    private final QueueService below = new MemoryQueueService(tasks);
    private final KeyRing ring = KeyRing.open(
                    tasks, new MemoryObjectStore(tasks), "", MasterKeys.given(TestKeys.line("main", 1)), true)
            .orElseThrow();
    private final QueueService service = new Seals(tasks, ring).queues(below);

    @Override
    protected QueueService service() {
        return service;
    }

    @Override
    protected Tasks tasks() {
        return tasks;
    }

    @Override
    protected void advance(Duration duration) {
        tasks.advance(duration);
    }

    @Override
    protected boolean ordered() {
        return true;
    }

    @Override
    protected boolean deliversOnce() {
        return true;
    }

    @Override
    protected boolean findsAll() {
        return true;
    }

    private static Bytes received(MessageQueue queue) {
        return queue.receive(1, Duration.ofMinutes(1), Duration.ZERO).getFirst().body();
    }

    @Test
    void messagesStayInTheirQueues() {
        MessageQueue one = service.create("one", QueueAttributes.STANDARD);
        MessageQueue other = service.create("other", QueueAttributes.STANDARD);
        MessageQueue bare = below.find("one").orElseThrow();
        one.send(List.of(Bytes.utf8("the text"), Bytes.utf8("the text")));
        Bytes sealed = received(bare);
        assertThat(sealed.toUtf8()).doesNotContain("text");
        assertThat(received(one)).isEqualTo(Bytes.utf8("the text"));

        byte[] flipped = sealed.toArray();
        flipped[flipped.length - 1] ^= 1;
        bare.send(List.of(Bytes.wrap(flipped)));
        assertThat(Frame.isSealed(received(one))).as("damaged").isTrue();
        bare.send(List.of(Bytes.utf8("forged")));
        assertThat(received(one)).as("forged").isEqualTo(Frame.MAGIC.concat(Bytes.utf8("forged")));
        below.find("other").orElseThrow().send(List.of(sealed));
        assertThat(Frame.isSealed(received(other))).as("moved").isTrue();
    }
}
