package io.penstock.core.queue.local;

import io.penstock.core.CorruptDataException;
import java.nio.ByteBuffer;

/**
 * The key of a message in the file: 16 bytes, big-endian, so that a queue's messages are adjacent and in the order they
 * were sent.
 *
 * @param queue the queue's number, not negative
 * @param number counts the queue's messages, not negative
 */
record MessageKey(long queue, long number) {
    private static final int BYTES = 16;

    byte[] encode() {
        return ByteBuffer.allocate(BYTES).putLong(queue).putLong(number).array();
    }

    static MessageKey decode(byte[] bytes) {
        if (bytes.length != BYTES) {
            throw notOne(bytes);
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        MessageKey key = new MessageKey(in.getLong(), in.getLong());
        if (key.queue < 0 || key.number < 0) {
            // Such a key would sort after the last of its queue, and a walk from queue to queue would never get past
            // it.
            throw notOne(bytes);
        }
        return key;
    }

    private static CorruptDataException notOne(byte[] bytes) {
        return new CorruptDataException(
                "a key in the queue file is not a message's; restore the file", "bytes", bytes.length);
    }

    /** The key before every message of the queue. */
    static MessageKey first(long queue) {
        return new MessageKey(queue, 0);
    }

    /** The key after every message of the queue. */
    static MessageKey last(long queue) {
        return new MessageKey(queue, Long.MAX_VALUE);
    }
}
