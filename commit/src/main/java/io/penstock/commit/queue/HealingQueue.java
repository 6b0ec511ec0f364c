package io.penstock.commit.queue;

import io.penstock.core.Bytes;
import io.penstock.core.RefusedException;
import io.penstock.core.queue.Delivery;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueConfiguration;
import io.penstock.core.queue.QueueDepth;
import io.penstock.core.queue.Receipt;
import io.penstock.core.queue.SendResult;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A queue that may be deleted while it is in use: after a refusal its handle is forgotten, and the next call finds the
 * queue or makes it again, as far as this client may. What was in the deleted queue is lost. Safe for use by many
 * threads.
 */
public final class HealingQueue implements MessageQueue {
    private static final Logger LOG = LoggerFactory.getLogger(HealingQueue.class);

    private final String name;
    private final Supplier<MessageQueue> opening;
    private final Consumer<RefusedException> whenRefused;
    private volatile @Nullable MessageQueue known;

    /** Whether the last call was refused: a refusal that goes on is logged once. */
    private final AtomicBoolean refused = new AtomicBoolean();

    /** @param opening finds the queue, or makes it */
    public HealingQueue(Supplier<MessageQueue> opening) {
        this(opening, refusal -> {});
    }

    /** @param whenRefused called when the handle is forgotten */
    HealingQueue(Supplier<MessageQueue> opening, Consumer<RefusedException> whenRefused) {
        MessageQueue first = opening.get();
        this.whenRefused = whenRefused;
        this.name = first.name();
        this.opening = opening;
        this.known = first;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<SendResult> send(List<Bytes> bodies) {
        return call(queue -> queue.send(bodies));
    }

    @Override
    public List<Delivery> receive(int max, Duration visibility, Duration wait) {
        return call(queue -> queue.receive(max, visibility, wait));
    }

    @Override
    public List<Receipt> delete(List<Receipt> receipts) {
        return call(queue -> queue.delete(receipts));
    }

    @Override
    public void changeVisibility(Receipt receipt, Duration visibility) {
        call(queue -> {
            queue.changeVisibility(receipt, visibility);
            return true;
        });
    }

    @Override
    public QueueDepth depth() {
        return call(MessageQueue::depth);
    }

    @Override
    public QueueConfiguration configuration() {
        return call(MessageQueue::configuration);
    }

    private <T> T call(Function<MessageQueue, T> request) {
        try {
            MessageQueue queue = known;
            if (queue == null) {
                queue = opening.get();
                known = queue;
            }
            T answer = request.apply(queue);
            if (refused.getAndSet(false)) {
                LOG.info("a queue of the store is in use again queue={}", name);
            }
            return answer;
        } catch (RefusedException refusal) {
            known = null;
            whenRefused.accept(refusal);
            if (!refused.getAndSet(true)) {
                LOG.warn(
                        "a queue of the store {}; it is looked for, or made again if this client may, when it is next"
                                + " needed queue={} why={}",
                        refusal.isGone() ? "is gone, with what was in it" : "refuses",
                        name,
                        refusal.getMessage());
            }
            throw refusal;
        }
    }
}
