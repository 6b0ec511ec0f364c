package io.penstock.cli.access;

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
import java.util.List;
import java.util.Optional;

/** Asks a {@link PolicyGuard} before each call, as SQS asks IAM. */
final class PolicedQueues implements QueueService {
    private final QueueService inner;
    private final PolicyGuard police;

    PolicedQueues(QueueService inner, PolicyGuard police) {
        this.inner = inner;
        this.police = police;
    }

    @Override
    public MessageQueue create(String name, QueueAttributes attributes) {
        police.askQueue("sqs:CreateQueue", name);
        return new Queue(inner.create(name, attributes));
    }

    @Override
    public Optional<MessageQueue> find(String name) {
        police.askQueue("sqs:GetQueueUrl", name);
        return inner.find(name).map(Queue::new);
    }

    @Override
    public List<String> list(String prefix) {
        police.askAll("sqs:ListQueues");
        return inner.list(prefix);
    }

    @Override
    public void delete(String name) {
        police.askQueue("sqs:GetQueueUrl", name);
        police.askQueue("sqs:DeleteQueue", name);
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

    private final class Queue implements MessageQueue {
        private final MessageQueue queue;

        Queue(MessageQueue queue) {
            this.queue = queue;
        }

        @Override
        public String name() {
            return queue.name();
        }

        @Override
        public List<SendResult> send(List<Bytes> bodies) {
            police.askQueue("sqs:SendMessage", name());
            return queue.send(bodies);
        }

        @Override
        public List<Delivery> receive(int max, Duration visibility, Duration wait) {
            police.askQueue("sqs:ReceiveMessage", name());
            return queue.receive(max, visibility, wait);
        }

        @Override
        public List<Receipt> delete(List<Receipt> receipts) {
            police.askQueue("sqs:DeleteMessage", name());
            return queue.delete(receipts);
        }

        @Override
        public void changeVisibility(Receipt receipt, Duration visibility) {
            police.askQueue("sqs:ChangeMessageVisibility", name());
            queue.changeVisibility(receipt, visibility);
        }

        @Override
        public QueueDepth depth() {
            police.askQueue("sqs:GetQueueAttributes", name());
            return queue.depth();
        }

        @Override
        public QueueConfiguration configuration() {
            police.askQueue("sqs:GetQueueAttributes", name());
            return queue.configuration();
        }
    }
}
