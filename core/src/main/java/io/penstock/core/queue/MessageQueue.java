package io.penstock.core.queue;

import io.penstock.core.Bytes;
import java.time.Duration;
import java.util.List;

/**
 * One queue. It does not promise any order, nor that a message arrives only once, even after its deletion was
 * acknowledged, nor that a receive finds every message, or any, though there are some.
 *
 * <p>Every method may throw {@link io.penstock.core.UnavailableException} (nothing was done). A queue that was deleted
 * answers with {@link io.penstock.core.RefusedException}. Safe for use by many threads.
 */
public interface MessageQueue {
    String name();

    /**
     * Sends up to {@link QueueLimits#batchEntries} messages in one call, together at most {@link
     * QueueLimits#batchBytes}. Each succeeds or fails by itself: one result each, in the order given.
     *
     * @throws io.penstock.core.OutcomeUnknownException when the answer was lost: each may or may not have been sent
     * @throws io.penstock.core.InvalidRequestException when the batch is empty or above a limit
     */
    List<SendResult> send(List<Bytes> bodies);

    /**
     * Takes up to {@code max} (1 to {@link QueueLimits#batchEntries}) messages and hides them from other receivers for
     * {@code visibility}, waiting up to {@code wait} (at most 20 s) for the first. A zero wait asks only some servers.
     * Another receiver may have a hidden message all the same.
     */
    List<Delivery> receive(int max, Duration visibility, Duration wait);

    /**
     * Removes received messages, at most {@link QueueLimits#batchEntries} in one call.
     *
     * @return those that could not be removed; they may be delivered again
     */
    List<Receipt> delete(List<Receipt> receipts);

    /**
     * Hides a received message for {@code visibility} from now on; zero shows it at once. Without effect if it is gone.
     */
    void changeVisibility(Receipt receipt, Duration visibility);

    /** An estimate of the number of messages; on SQS up to a minute old. */
    QueueDepth depth();

    /** The queue's configuration, which others may have chosen or changed. */
    QueueConfiguration configuration();
}
