package io.penstock.core.queue.memory;

import io.penstock.core.Bytes;
import io.penstock.core.queue.table.QueuedMessage;

/** A message and its body. */
final class MemoryMessage extends QueuedMessage {
    private final Bytes body;

    MemoryMessage(long number, long sentMillis, Bytes body) {
        super(number, sentMillis);
        this.body = body;
    }

    String id() {
        return Long.toString(number());
    }

    Bytes body() {
        return body;
    }
}
