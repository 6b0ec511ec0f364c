package io.penstock;

import io.penstock.core.Bytes;
import io.penstock.core.queue.Delivery;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.queue.QueueConfiguration;
import io.penstock.core.queue.QueueDepth;
import io.penstock.core.queue.QueueLimits;
import io.penstock.core.queue.QueueService;
import io.penstock.core.queue.Receipt;
import io.penstock.core.queue.SendResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** A queue service whose sends to some queues, or receives from them, fail as long as a test wants. */
final class FaultyQueues implements QueueService {
    /** The fate of a send. */
    interface Fault {
        /** Throws, or answers; {@code inner} really sends. */
        List<SendResult> send(MessageQueue inner, List<Bytes> bodies);
    }

    private final QueueService inner;
    private final String part;
    private volatile Fault fault = MessageQueue::send;
    private volatile UnaryOperator<QueueConfiguration> chosen = UnaryOperator.identity();
    private final AtomicInteger asked = new AtomicInteger();

    /** Called with the name of a queue before a receive from it; throws if it is to fail. */
    volatile Consumer<String> beforeReceive = queue -> {};

    /** @param part sends to queues with this in their names may fail */
    FaultyQueues(QueueService inner, String part) {
        this.inner = inner;
        this.part = part;
    }

    void set(Fault next) {
        fault = next;
    }

    /** Lets the queues have another configuration than that of their creation. */
    void configured(UnaryOperator<QueueConfiguration> next) {
        chosen = next;
    }

    /** How often these queues were asked for their configuration. */
    int asked() {
        return asked.get();
    }

    void heal() {
        fault = MessageQueue::send;
    }

    private MessageQueue wrap(MessageQueue queue) {
        return queue.name().contains(part) ? new FaultyQueue(queue) : queue;
    }

    @Override
    public MessageQueue create(String name, QueueAttributes attributes) {
        return wrap(inner.create(name, attributes));
    }

    @Override
    public Optional<MessageQueue> find(String name) {
        return inner.find(name).map(this::wrap);
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

    /** Lets only the last message of a batch arrive, which leaves a gap in an ordered sender's numbers. */
    static List<SendResult> onlyTheLast(MessageQueue queue, List<Bytes> bodies) {
        List<SendResult> results = new ArrayList<>();
        for (int i = 0; i < bodies.size() - 1; i++) {
            results.add(new SendResult.NotSent(true, "Faulty"));
        }
        results.addAll(queue.send(bodies.subList(bodies.size() - 1, bodies.size())));
        return results;
    }

    private final class FaultyQueue implements MessageQueue {
        private final MessageQueue queue;

        FaultyQueue(MessageQueue queue) {
            this.queue = queue;
        }

        @Override
        public String name() {
            return queue.name();
        }

        @Override
        public List<SendResult> send(List<Bytes> bodies) {
            return fault.send(queue, bodies);
        }

        @Override
        public List<Delivery> receive(int max, Duration visibility, Duration wait) {
            beforeReceive.accept(queue.name());
            return queue.receive(max, visibility, wait);
        }

        @Override
        public List<Receipt> delete(List<Receipt> receipts) {
            return queue.delete(receipts);
        }

        @Override
        public void changeVisibility(Receipt receipt, Duration visibility) {
            queue.changeVisibility(receipt, visibility);
        }

        @Override
        public QueueDepth depth() {
            return queue.depth();
        }

        @Override
        public QueueConfiguration configuration() {
            asked.incrementAndGet();
            return chosen.apply(queue.configuration());
        }
    }
}
