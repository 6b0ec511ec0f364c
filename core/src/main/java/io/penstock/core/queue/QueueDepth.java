package io.penstock.core.queue;

/**
 * Roughly how many messages a queue holds.
 *
 * @param visible could be received now
 * @param inFlight received and hidden
 */
public record QueueDepth(long visible, long inFlight) {
    public long total() {
        return visible + inFlight;
    }
}
