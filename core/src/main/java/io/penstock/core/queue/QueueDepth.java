package io.penstock.core.queue;

/**
 * An estimate of the number of messages in a queue.
 *
 * @param visible could be received now
 * @param inFlight received and hidden
 */
public record QueueDepth(long visible, long inFlight) {
    public long total() {
        return visible + inFlight;
    }
}
