package io.penstock.commit.protocol;

import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.StoreException;
import io.penstock.core.task.Promise;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The items that one caller has submitted. Guarded by the sender's lock, except {@link #isDone}. */
final class Submission<T> {
    private final List<T> items;

    /** The end: completed when the last call with one of its items is over, which another caller may have made. */
    final Promise<Boolean> ended;

    private int taken;
    int underWay;
    private long first;
    private long last;
    private boolean someSent;
    private @Nullable StoreException failure;
    private volatile boolean done;

    Submission(List<T> items, Promise<Boolean> ended) {
        this.items = items;
        this.ended = ended;
        this.done = items.isEmpty();
    }

    T peek() {
        return items.get(taken);
    }

    void take(long number) {
        first = taken == 0 ? number : first;
        last = number;
        taken++;
    }

    boolean isTaken() {
        return taken == items.size();
    }

    boolean isDone() {
        return done;
    }

    void settle(@Nullable StoreException outcome) {
        underWay--;
        if (outcome == null) {
            someSent = true;
        } else if (failure == null || outcome instanceof OutcomeUnknownException) {
            failure = outcome;
        }
        done = underWay == 0 && (isTaken() || failure != null);
    }

    /** Whether the rest of it need not be sent, because some of it has failed. */
    boolean isGivenUp() {
        return failure != null;
    }

    void fail(StoreException reason) {
        failure = failure == null ? reason : failure;
        done = underWay == 0;
    }

    GroupSender.Range result(String queueName) {
        if (failure == null) {
            return new GroupSender.Range(first, last);
        }
        if (someSent || failure instanceof OutcomeUnknownException) {
            throw new OutcomeUnknownException(
                    "it is not known which log records were sent; read to find out", failure, "queue", queueName);
        }
        throw failure;
    }
}
