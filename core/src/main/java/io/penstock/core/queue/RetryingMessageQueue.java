package io.penstock.core.queue;

import io.penstock.core.Bytes;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.RefusedException;
import io.penstock.core.UnavailableException;
import io.penstock.core.meter.Operation;
import io.penstock.core.retry.Backoff;
import io.penstock.core.retry.Retries;
import io.penstock.core.retry.Retries.Repeat;
import java.time.Duration;
import java.util.List;

/** Repeats calls of a queue that failed for the moment. Safe for use by many threads. */
final class RetryingMessageQueue implements MessageQueue {
    private final MessageQueue inner;
    private final Retries retries;

    RetryingMessageQueue(MessageQueue inner, Retries retries) {
        this.inner = inner;
        this.retries = retries;
    }

    @Override
    public String name() {
        return inner.name();
    }

    @Override
    public List<SendResult> send(List<Bytes> bodies) {
        Resend resend = new Resend(bodies);
        Backoff backoff = retries.begin();
        do {
            try {
                resend.answered(inner.send(resend.unsent()));
            } catch (RefusedException failure) {
                resend.failed(failure);
                break;
            } catch (UnavailableException failure) {
                resend.failed(failure);
            } catch (OutcomeUnknownException failure) {
                resend.failed(failure);
            }
        } while (!resend.isDone() && retries.again(backoff, Operation.SQS_SEND));
        return resend.results();
    }

    /** A lost answer leaves its messages hidden until their visibility ends; they are not lost. */
    @Override
    public List<Delivery> receive(int max, Duration visibility, Duration wait) {
        return retries.call(Operation.SQS_RECEIVE, Repeat.ALSO_UNKNOWN, () -> inner.receive(max, visibility, wait));
    }

    @Override
    public List<Receipt> delete(List<Receipt> receipts) {
        return retries.call(Operation.SQS_DELETE, Repeat.ALSO_UNKNOWN, () -> inner.delete(receipts));
    }

    @Override
    public void changeVisibility(Receipt receipt, Duration visibility) {
        retries.run(Operation.SQS_OTHER, () -> inner.changeVisibility(receipt, visibility));
    }

    @Override
    public QueueDepth depth() {
        return retries.call(Operation.SQS_OTHER, Repeat.ALSO_UNKNOWN, inner::depth);
    }

    @Override
    public QueueConfiguration configuration() {
        return retries.call(Operation.SQS_OTHER, Repeat.ALSO_UNKNOWN, inner::configuration);
    }
}
