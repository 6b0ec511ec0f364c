package io.penstock.core.seal;

import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.queue.Delivery;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.queue.QueueConfiguration;
import io.penstock.core.queue.QueueDepth;
import io.penstock.core.queue.QueueLimits;
import io.penstock.core.queue.QueueRules;
import io.penstock.core.queue.QueueService;
import io.penstock.core.queue.Receipt;
import io.penstock.core.queue.SendResult;
import io.penstock.core.seal.Sealing.Kind;
import io.penstock.core.seal.Sealing.Place;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A queue service whose messages are sealed in the one below, each bound to its queue. Safe for use by many threads.
 */
record SealedQueueService(QueueService inner, Sealing sealing) implements QueueService {
    @Override
    public MessageQueue create(String name, QueueAttributes attributes) {
        return new Queue(inner.create(name, attributes));
    }

    @Override
    public Optional<MessageQueue> find(String name) {
        return inner.find(name).map(Queue::new);
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
        QueueLimits below = inner.limits();
        int chunks = below.batchEntries() + Math.ceilDiv(below.batchBytes(), Frame.CHUNK);
        int batch = below.batchBytes() - chunks * Frame.OVERHEAD;
        return new QueueLimits(below.batchEntries(), batch, Math.min(batch, bodyBytes(below.messageBytes())));
    }

    private static int bodyBytes(int sealed) {
        return (int) Frame.bodyBytes(sealed);
    }

    @Override
    public void close() {
        inner.close();
    }

    /** One queue of the service. */
    private final class Queue implements MessageQueue {
        private final MessageQueue queue;
        private final Place place;

        Queue(MessageQueue queue) {
            this.queue = queue;
            this.place = new Place(Kind.MESSAGE, queue.name());
        }

        @Override
        public String name() {
            return queue.name();
        }

        @Override
        public List<SendResult> send(List<Bytes> bodies) {
            QueueRules.checkSend(limits(), bodies);
            return queue.send(
                    bodies.stream().map(body -> sealing.seal(place, body)).toList());
        }

        @Override
        public List<Delivery> receive(int max, Duration visibility, Duration wait) {
            return queue.receive(max, visibility, wait).stream()
                    .map(delivery -> new Delivery(
                            delivery.messageId(),
                            delivery.receipt(),
                            opened(delivery.body()),
                            delivery.sentMillis(),
                            delivery.receiveCount()))
                    .toList();
        }

        /**
         * The body of a message. One that does not open must not hold up the others: it is delivered with a magic that
         * no message has, and goes the way of damaged ones.
         */
        private Bytes opened(Bytes sealed) {
            try {
                return sealing.open(place, sealed);
            } catch (CorruptDataException damaged) {
                return Frame.isSealed(sealed) ? sealed : Frame.MAGIC.concat(sealed);
            }
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
            QueueConfiguration below = queue.configuration();
            return new QueueConfiguration(
                    below.retention(),
                    below.delay(),
                    Math.min(limits().messageBytes(), bodyBytes(below.messageBytes())),
                    below.redrives(),
                    below.fifo());
        }
    }
}
