package io.penstock.core.local.shared;

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

/** The queues of a directory that another process owns. */
record AttachedQueues(Attachment owner, QueueLimits limits) implements QueueService {
    @Override
    public MessageQueue create(String name, QueueAttributes attributes) {
        return new Queue(owner, owner.call(Call.CREATE_QUEUE, name, attributes));
    }

    @Override
    public Optional<MessageQueue> find(String name) {
        Optional<String> found = owner.call(Call.FIND_QUEUE, name);
        return found.map(there -> new Queue(owner, there));
    }

    @Override
    public List<String> list(String prefix) {
        return owner.call(Call.LIST_QUEUES, prefix);
    }

    @Override
    public void delete(String name) {
        owner.tell(Call.DELETE_QUEUE, name);
    }

    @Override
    public void close() {
        owner.close();
    }

    /** One queue, known by its name. */
    private record Queue(Attachment owner, String name) implements MessageQueue {
        @Override
        public List<SendResult> send(List<Bytes> bodies) {
            return owner.call(Call.SEND, name, bodies);
        }

        @Override
        public List<Delivery> receive(int max, Duration visibility, Duration wait) {
            return owner.call(Call.RECEIVE, name, max, visibility, wait);
        }

        @Override
        public List<Receipt> delete(List<Receipt> receipts) {
            return owner.call(Call.DELETE_MESSAGES, name, receipts);
        }

        @Override
        public void changeVisibility(Receipt receipt, Duration visibility) {
            owner.tell(Call.CHANGE_VISIBILITY, name, receipt, visibility);
        }

        @Override
        public QueueDepth depth() {
            return owner.call(Call.DEPTH, name);
        }

        @Override
        public QueueConfiguration configuration() {
            return owner.call(Call.CONFIGURATION, name);
        }
    }
}
