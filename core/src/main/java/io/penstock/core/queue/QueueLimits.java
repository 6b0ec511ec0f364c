package io.penstock.core.queue;

/**
 * The limits of one call to a queue service, in bytes of our bodies, after any encoding.
 *
 * @param batchEntries messages in one send, receive or delete (SQS: 10)
 * @param batchBytes all bodies of one send together
 * @param messageBytes one body
 */
public record QueueLimits(int batchEntries, int batchBytes, int messageBytes) {
    public QueueLimits {
        if (batchEntries < 1 || messageBytes < 1024 || batchBytes < messageBytes) {
            throw new IllegalArgumentException(
                    "queue limits out of range: " + batchEntries + ", " + batchBytes + ", " + messageBytes);
        }
    }
}
