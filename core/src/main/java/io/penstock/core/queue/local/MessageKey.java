package io.penstock.core.queue.local;

import io.penstock.core.CorruptDataException;
import java.nio.ByteBuffer;

/**
 * Names a message: its queue, and its number in it. In old queue files 16 bytes, big-endian.
 *
 * @param queue the queue's number, not negative
 * @param number counts the queue's messages, not negative
 */
record MessageKey(long queue, long number) implements Comparable<MessageKey> {
    private static final int BYTES = 16;

    static MessageKey decode(byte[] bytes) {
        if (bytes.length != BYTES) {
            throw notOne(bytes);
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        MessageKey key = new MessageKey(in.getLong(), in.getLong());
        if (key.queue < 0 || key.number < 0) {
            throw notOne(bytes);
        }
        return key;
    }

    private static CorruptDataException notOne(byte[] bytes) {
        return new CorruptDataException(
                "a key in the queue file is not a message's; restore the file", "bytes", bytes.length);
    }

    @Override
    public int compareTo(MessageKey other) {
        int byQueue = Long.compare(queue, other.queue);
        return byQueue != 0 ? byQueue : Long.compare(number, other.number);
    }
}
