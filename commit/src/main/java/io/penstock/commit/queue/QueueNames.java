package io.penstock.commit.queue;

import io.penstock.core.ClientId;

/**
 * The names of a store's queues. With a prefix of at most 30 characters the longest has 68 characters, below the 80
 * that SQS allows.
 */
public record QueueNames(String prefix) {
    public String pu(PuQueueId id) {
        return puPrefix() + id.name();
    }

    public String puPrefix() {
        return prefix + "-pu-";
    }

    public String lock(PuQueueId id) {
        return prefix + "-lk-" + id.name();
    }

    public String atomic(ClientId client) {
        return atomicPrefix() + client.hex();
    }

    public String atomicPrefix() {
        return prefix + "-at-";
    }

    /** The id of the PU queue with this full name. */
    public PuQueueId puQueue(String name) {
        return PuQueueId.parse(name.substring(puPrefix().length()));
    }
}
