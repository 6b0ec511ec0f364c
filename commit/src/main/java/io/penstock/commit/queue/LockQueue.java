package io.penstock.commit.queue;

import io.penstock.core.Bytes;
import io.penstock.core.queue.Delivery;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.queue.Receipt;
import io.penstock.core.task.Timekeeper;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The lock queue of one PU queue, whose token is a lease: the client that receives the token holds the lease. The lease
 * only saves work. A second token, a lease that runs out, or two holders at once are harmless, because pages are
 * written with If-Match.
 */
public final class LockQueue {
    private static final Bytes TOKEN = Bytes.utf8("token");

    /** The age at which a token is replaced, before the queue forgets it. */
    private static final Duration TOKEN_AGE_MAX = QueueAttributes.RETENTION_MAX.dividedBy(2);

    private final MessageQueue queue;
    private final Timekeeper time;
    private final int batchEntries;
    private final Duration tokenGrace;

    /**
     * The time since which this client has not seen the token, or empty. An estimate suffices: a race only delays a new
     * token.
     */
    private volatile OptionalLong missedSinceNanos = OptionalLong.empty();

    /** @param tokenGrace the time for which the token may be unseen before this client checks whether it is lost */
    LockQueue(MessageQueue queue, Timekeeper time, int batchEntries, Duration tokenGrace) {
        this.queue = queue;
        this.time = time;
        this.batchEntries = batchEntries;
        this.tokenGrace = tokenGrace;
    }

    /** Puts a token into the queue, when its token is lost. */
    void mint() {
        mint(queue);
    }

    /** Puts a token into a lock queue that was just created. */
    static void mint(MessageQueue queue) {
        queue.send(List.of(TOKEN));
    }

    /** Takes the lease if the token is free. */
    public Optional<Lease> acquire(Duration length) {
        long start = time.nanoTime();
        List<Delivery> tokens = queue.receive(batchEntries, length, Duration.ZERO);
        if (tokens.isEmpty()) {
            mintIfLost(start);
            return Optional.empty();
        }
        missedSinceNanos = OptionalLong.empty();
        if (tokens.size() > 1) {
            queue.delete(tokens.stream().skip(1).map(Delivery::receipt).toList());
        }
        return Optional.of(new Lease(this, tokens.getFirst(), start + length.toNanos()));
    }

    /** Sends a new token if the old one is lost, because it was never sent or has outlived its retention. */
    private void mintIfLost(long nowNanos) {
        OptionalLong since = missedSinceNanos;
        if (since.isEmpty()) {
            since = OptionalLong.of(nowNanos);
            missedSinceNanos = since;
        }
        boolean overdue = nowNanos - since.getAsLong() >= tokenGrace.toNanos();
        if (overdue && queue.depth().total() == 0) {
            mint();
            missedSinceNanos = OptionalLong.empty();
        }
    }

    private void release(Delivery token) {
        if (time.nowMillis() - token.sentMillis() < TOKEN_AGE_MAX.toMillis()) {
            queue.changeVisibility(token.receipt(), Duration.ZERO);
            return;
        }
        // The new token first: a crash in between then leaves two tokens; in the other order it would leave none.
        mint();
        List<Receipt> left = queue.delete(List.of(token.receipt()));
        if (!left.isEmpty()) {
            queue.changeVisibility(token.receipt(), Duration.ZERO);
        }
    }

    /** A lease that this client holds. */
    public static final class Lease {
        private final LockQueue lockQueue;
        private final Delivery token;
        private final long endNanos;

        private Lease(LockQueue lockQueue, Delivery token, long endNanos) {
            this.lockQueue = lockQueue;
            this.token = token;
            this.endNanos = endNanos;
        }

        /** Whether other clients may have the lease by now. The holder then stops, to save work. */
        public boolean isOver() {
            return lockQueue.time.nanoTime() - endNanos >= 0;
        }

        /** Frees the lease for other clients at once, rather than at its time-out. */
        public void release() {
            lockQueue.release(token);
        }
    }
}
