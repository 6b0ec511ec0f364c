package io.penstock.core.queue.memory;

import io.penstock.core.Bytes;
import io.penstock.core.queue.Delivery;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueConfiguration;
import io.penstock.core.queue.QueueDepth;
import io.penstock.core.queue.QueueRules;
import io.penstock.core.queue.Receipt;
import io.penstock.core.queue.SendResult;
import io.penstock.core.queue.table.LiveQueue;
import io.penstock.core.task.Promise;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A queue by its name: like on SQS, an old handle of a queue that was deleted and created again is a handle of the new
 * one. Safe for use by many threads.
 */
record MemoryMessageQueue(String name, MemoryQueueService service, Tasks tasks) implements MessageQueue {
    @Override
    public List<SendResult> send(List<Bytes> bodies) {
        QueueRules.checkSend(MemoryQueueService.LIMITS, bodies);
        MemoryQueue queue = service.queue(name);
        long sentMillis = tasks.nowMillis();
        long number = queue.drawNumbers(bodies.size());
        List<MemoryMessage> sent = new ArrayList<>();
        for (Bytes body : bodies) {
            sent.add(new MemoryMessage(number++, sentMillis, body.copy()));
        }
        queue.add(sent);
        return sent.stream()
                .map(message -> (SendResult) new SendResult.Sent(message.id()))
                .toList();
    }

    @Override
    public List<Delivery> receive(int max, Duration visibility, Duration wait) {
        QueueRules.checkReceive(MemoryQueueService.LIMITS, max, visibility, wait);
        long deadlineNanos = service.nowNanos() + wait.toNanos();
        while (true) {
            MemoryQueue queue = service.queue(name);
            Promise<Boolean> turn = tasks.promise();
            queue.expire(tasks.nowMillis());
            long now = service.nowNanos();
            LiveQueue.Taken<MemoryMessage> taken =
                    queue.take(max, now, now + visibility.toNanos(), service::drawToken, turn);
            try {
                if (!taken.messages().isEmpty() || now >= deadlineNanos) {
                    return taken.messages().stream()
                            .map(MemoryMessageQueue::deliver)
                            .toList();
                }
                turn.awaitFor(Duration.ofNanos(Math.min(deadlineNanos, taken.nextVisibleNanos()) - now));
            } finally {
                queue.forget(turn);
            }
        }
    }

    private static Delivery deliver(LiveQueue.Delivered<MemoryMessage> delivered) {
        MemoryMessage message = delivered.message();
        return new Delivery(
                message.id(), delivered.receipt(), message.body(), message.sentMillis(), delivered.receiveCount());
    }

    @Override
    public List<Receipt> delete(List<Receipt> receipts) {
        QueueRules.checkBatch(MemoryQueueService.LIMITS, receipts.size());
        MemoryQueue queue = service.queue(name);
        return receipts.stream()
                .filter(receipt -> !queue.remove(receipt, new ArrayList<>()))
                .toList();
    }

    @Override
    public void changeVisibility(Receipt receipt, Duration visibility) {
        QueueRules.checkVisibility(visibility);
        long now = service.nowNanos();
        service.queue(name).changeVisibility(receipt, now, now + visibility.toNanos());
    }

    @Override
    public QueueDepth depth() {
        MemoryQueue queue = service.queue(name);
        queue.expire(tasks.nowMillis());
        return queue.depth(service.nowNanos());
    }

    @Override
    public QueueConfiguration configuration() {
        return QueueConfiguration.standard(service.queue(name).retention(), MemoryQueueService.LIMITS);
    }
}
