package io.penstock.commit.queue;

import io.penstock.commit.client.Heartbeat;
import io.penstock.commit.client.Identity;
import io.penstock.core.ErrorCode;
import io.penstock.core.RefusedException;
import io.penstock.core.UnavailableException;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.queue.QueueService;
import java.time.Duration;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The ATOMIC queue of one client, another one for each of its identities. It is created on first use, after a heartbeat
 * that says so, so that every ATOMIC queue has a registered owner and recovery need not search for others. Safe for use
 * by many threads.
 */
public final class AtomicQueue {
    /** The time for which a message stays hidden that is left for others. */
    private static final Duration SHOWN_AGAIN = Duration.ofSeconds(1);

    private final QueueService service;
    private final QueueNames names;
    private final Heartbeat heartbeat;
    private final Duration pollWait;
    private volatile @Nullable Opened opened;

    /** The queue of one identity. */
    public record Opened(Identity owner, MessageQueue messages) {}

    /** @param pollWait of a receive that must not miss a message: one that waits asks all servers of the queue */
    public AtomicQueue(QueueService service, QueueNames names, Heartbeat heartbeat, Duration pollWait) {
        this.service = service;
        this.names = names;
        this.heartbeat = heartbeat;
        this.pollWait = pollWait;
    }

    /** The queue of the identity that this client has now. */
    public Opened open() {
        Identity owner = heartbeat.join(true);
        Opened known = opened;
        if (known == null || known.owner != owner) {
            known = new Opened(owner, new HealingQueue(() -> create(owner)));
            opened = known;
        }
        return known;
    }

    /**
     * Returns the queue that another part of this client has created; a call to it is refused when it was deleted
     * since.
     */
    public MessageQueue openExisting(Identity owner) {
        Opened known = opened;
        if (known == null || known.owner != owner) {
            known = new Opened(owner, new HealingQueue(() -> find(owner)));
            opened = known;
        }
        return known.messages;
    }

    private MessageQueue find(Identity owner) {
        String name = names.atomic(owner.client());
        return service.find(name)
                .orElseThrow(() -> new RefusedException(
                        ErrorCode.QUEUE_NOT_FOUND, "there is no such queue; it was deleted", "queue", name));
    }

    private MessageQueue create(Identity owner) {
        if (owner.isOver()) {
            throw new UnavailableException("this client goes on under another id; nothing was committed, retry it");
        }
        return service.create(names.atomic(owner.client()), QueueAttributes.STANDARD);
    }

    /**
     * Makes sure that what was sent just now is found when the client dies: others look into the queue when they take
     * it for dead, and once more only after a day.
     *
     * @throws io.penstock.core.OutcomeUnknownException when they have looked, or may have
     */
    public void requireWatched(Identity owner) {
        heartbeat.requireAlive(owner);
    }

    /** The queue was deleted by others: the next transaction goes to another one, under another id. */
    public void lost(Identity owner) {
        heartbeat.renew(owner);
    }

    /**
     * Removes the queue of an identity that is not used any more, unless it holds something: then a clone of this
     * process may have sent it.
     */
    public boolean remove(Identity owner) {
        // Not the count of messages, which lags: it would still count those that were deleted just now.
        return removeIf(owner, this::isEmpty);
    }

    /**
     * Removes the queue of an identity that others took for dead, unless it holds something, hidden messages included.
     * If they took a clone of this process for dead, the clone's transactions are in the queue, and the clients that
     * recover it may have hidden them: then the queue is theirs.
     */
    public boolean removeTakenOver(Identity owner) {
        return removeIf(owner, this::isEmptied);
    }

    private boolean removeIf(Identity owner, Predicate<MessageQueue> unused) {
        try {
            if (!unused.test(openExisting(owner))) {
                return false;
            }
        } catch (RefusedException refusal) {
            if (!refusal.isGone()) {
                throw refusal;
            }
        }
        service.delete(names.atomic(owner.client()));
        return true;
    }

    /** Whether the queue of an identity shows no message, and counts none, hidden ones included. */
    public boolean isEmpty(Identity owner) {
        return isEmptied(openExisting(owner));
    }

    private boolean isEmptied(MessageQueue messages) {
        return isEmpty(messages) && messages.depth().total() == 0;
    }

    private boolean isEmpty(MessageQueue messages) {
        return messages.receive(1, SHOWN_AGAIN, pollWait).isEmpty();
    }
}
