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
 * The lock queue of one PU queue: whoever receives its token has the lease. The lease only saves work. A second token,
 * a lease that runs out, two holders at once: all harmless, because pages are written with If-Match.
 */
public final class LockQueue {
    private static final Bytes TOKEN = Bytes.utf8("token");

    /** A token is replaced before the queue forgets it. */
    private static final Duration TOKEN_AGE_MAX = QueueAttributes.RETENTION_MAX.dividedBy(2);

    private final MessageQueue queue;
    private final Timekeeper time;
    private final int batchEntries;
    private final Duration tokenGrace;

    /** Since when nobody here has seen the token, or empty. A guess is good enough: a race only delays a mint. */
    private volatile OptionalLong missedSinceNanos = OptionalLong.empty();

    /** @param tokenGrace how long the token may be out of sight before its loss is looked into */
    LockQueue(MessageQueue queue, Timekeeper time, int batchEntries, Duration tokenGrace) {
        this.queue = queue;
        this.time = time;
        this.batchEntries = batchEntries;
        this.tokenGrace = tokenGrace;
    }

    /** Puts a token into the queue: when its token is lost. */
    void mint() {
        mint(queue);
    }

    /** Puts a token into a lock queue that was just created. */
    static void mint(MessageQueue queue) {
        queue.send(List.of(TOKEN));
    }

    /** Takes the token if it is free. */
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

    /** A token is lost when it was never sent, or outlived its retention. */
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
        // The fresh token first: a crash in between leaves two tokens, the other way round none.
        mint();
        List<Receipt> left = queue.delete(List.of(token.receipt()));
        if (!left.isEmpty()) {
            queue.changeVisibility(token.receipt(), Duration.ZERO);
        }
    }

    /** A lease that was taken. */
    public static final class Lease {
        private final LockQueue lockQueue;
        private final Delivery token;
        private final long endNanos;

        private Lease(LockQueue lockQueue, Delivery token, long endNanos) {
            this.lockQueue = lockQueue;
            this.token = token;
            this.endNanos = endNanos;
        }

        /** Whether others may have the lease by now: time to stop, to save work. */
        public boolean isOver() {
            return lockQueue.time.nanoTime() - endNanos >= 0;
        }

        /** Lets the next one have the lease at once, rather than after its time-out. */
        public void release() {
            lockQueue.release(token);
        }
    }
}
