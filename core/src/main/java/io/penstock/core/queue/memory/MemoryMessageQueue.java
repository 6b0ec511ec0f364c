package io.penstock.core.queue.memory;

import io.penstock.core.Bytes;
import io.penstock.core.queue.Delivery;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueConfiguration;
import io.penstock.core.queue.QueueDepth;
import io.penstock.core.queue.QueueRules;
import io.penstock.core.queue.Receipt;
import io.penstock.core.queue.SendResult;
import io.penstock.core.task.Promise;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.List;

/**
 * A queue by its name: like on SQS, an old handle of a queue that was deleted and created again is a handle of the new
 * one. Safe for use by many threads.
 */
final class MemoryMessageQueue implements MessageQueue {
    private final String name;
    private final MemoryQueueService service;
    private final Tasks tasks;

    MemoryMessageQueue(String name, MemoryQueueService service, Tasks tasks) {
        this.name = name;
        this.service = service;
        this.tasks = tasks;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<SendResult> send(List<Bytes> bodies) {
        QueueRules.checkSend(MemoryQueueService.LIMITS, bodies);
        MemoryMessages messages = service.messages(name);
        List<Bytes> kept = bodies.stream().map(Bytes::copy).toList();
        return messages.add(kept, tasks.nowMillis()).stream()
                .map(id -> (SendResult) new SendResult.Sent(id))
                .toList();
    }

    @Override
    public List<Delivery> receive(int max, Duration visibility, Duration wait) {
        QueueRules.checkReceive(MemoryQueueService.LIMITS, max, visibility, wait);
        long startNanos = tasks.nanoTime();
        while (true) {
            MemoryMessages messages = service.messages(name);
            Promise<Boolean> change = tasks.promise();
            long now = tasks.nanoTime();
            MemoryMessages.Now clocks = new MemoryMessages.Now(now, tasks.nowMillis());
            MemoryMessages.Taken taken = messages.take(max, clocks, visibility, change);
            long leftNanos = Math.min(wait.toNanos() - (now - startNanos), taken.nextVisibleInNanos());
            if (!taken.deliveries().isEmpty() || now - startNanos >= wait.toNanos()) {
                messages.forget(change);
                return taken.deliveries();
            }
            try {
                change.awaitFor(Duration.ofNanos(Math.max(leftNanos, 0)));
            } finally {
                messages.forget(change);
            }
        }
    }

    @Override
    public List<Receipt> delete(List<Receipt> receipts) {
        QueueRules.checkBatch(MemoryQueueService.LIMITS, receipts.size());
        MemoryMessages messages = service.messages(name);
        return receipts.stream().filter(receipt -> !messages.remove(receipt)).toList();
    }

    @Override
    public void changeVisibility(Receipt receipt, Duration visibility) {
        QueueRules.checkVisibility(visibility);
        service.messages(name).changeVisibility(receipt, tasks.nanoTime(), visibility);
    }

    @Override
    public QueueDepth depth() {
        return service.messages(name).depth(new MemoryMessages.Now(tasks.nanoTime(), tasks.nowMillis()));
    }

    @Override
    public QueueConfiguration configuration() {
        return QueueConfiguration.standard(service.messages(name).retention(), MemoryQueueService.LIMITS);
    }
}
