package io.penstock.testing;

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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** A fake queue service with one fake queue, which fails as configured and otherwise succeeds. For one thread. */
public final class ScriptedQueueService implements QueueService {
    private final Deque<Function<List<Bytes>, List<SendResult>>> sends = new ArrayDeque<>();
    private final Deque<RuntimeException> failures = new ArrayDeque<>();
    private final List<String> calls = new ArrayList<>();
    private List<Delivery> deliveries = List.of();

    /** Makes the next calls fail with these exceptions, one each. */
    public ScriptedQueueService failing(RuntimeException... next) {
        Collections.addAll(failures, next);
        return this;
    }

    /** Sets the answer to the next send that does not fail. */
    public ScriptedQueueService answering(Function<List<Bytes>, List<SendResult>> next) {
        sends.add(next);
        return this;
    }

    /** Sets the result of every receive. */
    public ScriptedQueueService delivering(List<Delivery> found) {
        deliveries = found;
        return this;
    }

    /** The calls so far: names of methods, and for a send what was sent. */
    public List<String> calls() {
        return calls;
    }

    private void called(String name) {
        calls.add(name);
        RuntimeException failure = failures.poll();
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public MessageQueue create(String name, QueueAttributes attributes) {
        called("create");
        return new ScriptedQueue();
    }

    @Override
    public Optional<MessageQueue> find(String name) {
        called("find");
        return Optional.of(new ScriptedQueue());
    }

    @Override
    public List<String> list(String prefix) {
        called("list");
        return List.of("q");
    }

    @Override
    public void delete(String name) {
        called("deleteQueue");
    }

    @Override
    public QueueLimits limits() {
        return new QueueLimits(10, 1 << 20, 1 << 20);
    }

    @Override
    public void close() {
        called("close");
    }

    private final class ScriptedQueue implements MessageQueue {
        @Override
        public String name() {
            return "q";
        }

        @Override
        public List<SendResult> send(List<Bytes> bodies) {
            called("send " + bodies.stream().map(Bytes::toUtf8).toList());
            Function<List<Bytes>, List<SendResult>> answer = sends.poll();
            if (answer != null) {
                return answer.apply(bodies);
            }
            return bodies.stream()
                    .<SendResult>map(body -> new SendResult.Sent("id-" + body.toUtf8()))
                    .toList();
        }

        @Override
        public List<Delivery> receive(int max, Duration visibility, Duration wait) {
            called("receive");
            return deliveries;
        }

        @Override
        public List<Receipt> delete(List<Receipt> receipts) {
            called("delete");
            return List.of();
        }

        @Override
        public void changeVisibility(Receipt receipt, Duration visibility) {
            called("changeVisibility");
        }

        @Override
        public QueueDepth depth() {
            called("depth");
            return new QueueDepth(1, 0);
        }

        @Override
        public QueueConfiguration configuration() {
            called("configuration");
            return QueueConfiguration.standard(QueueAttributes.RETENTION_MAX, limits());
        }
    }
}
