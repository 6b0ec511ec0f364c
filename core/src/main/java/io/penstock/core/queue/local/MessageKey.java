package io.penstock.core.queue.local;

import java.nio.ByteBuffer;

/**
 * Names a message in the file: 16 bytes, big-endian, so that a queue's messages lie side by side in the order they
 * came.
 *
 * @param queue the queue's number, not negative
 * @param number counts the queue's messages, not negative
 */
record MessageKey(long queue, long number) {
    byte[] encode() {
        return ByteBuffer.allocate(16).putLong(queue).putLong(number).array();
    }

    static MessageKey decode(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        return new MessageKey(in.getLong(), in.getLong());
    }

    /** Before every message of the queue. */
    static MessageKey first(long queue) {
        return new MessageKey(queue, 0);
    }

    /** Behind every message of the queue. */
    static MessageKey last(long queue) {
        return new MessageKey(queue, Long.MAX_VALUE);
    }
}
