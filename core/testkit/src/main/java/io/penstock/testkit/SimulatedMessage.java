package io.penstock.testkit;

import io.penstock.core.Bytes;
import io.penstock.core.queue.table.QueuedMessage;

/** A message on the simulated servers. */
final class SimulatedMessage extends QueuedMessage {
    final String id;
    /** The body, changed by {@link Tampering} alone. */
    Bytes body;

    final long expiresNanos;

    SimulatedMessage(long number, String id, Bytes body, long sentMillis, long expiresNanos) {
        super(number, sentMillis);
        this.id = id;
        this.body = body;
        this.expiresNanos = expiresNanos;
    }

    private SimulatedMessage(SimulatedMessage other) {
        super(other);
        this.id = other.id;
        this.body = other.body;
        this.expiresNanos = other.expiresNanos;
    }

    SimulatedMessage copy() {
        return new SimulatedMessage(this);
    }
}
