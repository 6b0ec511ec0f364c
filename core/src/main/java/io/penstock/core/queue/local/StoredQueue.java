package io.penstock.core.queue.local;

import io.penstock.core.CorruptDataException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A queue in the file. The visibility is kept for completeness: every receive of the SPI brings its own.
 *
 * @param id not negative, as messages are kept in the order of their queues' ids
 */
record StoredQueue(long id, Duration retention, Duration visibility) {
    private static final int BYTES = 24;

    byte[] encode() {
        return ByteBuffer.allocate(BYTES)
                .putLong(id)
                .putLong(retention.toMillis())
                .putLong(visibility.toMillis())
                .array();
    }

    static StoredQueue decode(byte @Nullable [] bytes) {
        if (bytes == null || bytes.length != BYTES || bytes[0] < 0) {
            throw new CorruptDataException("a queue in the queue file cannot be read; restore the file");
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        return new StoredQueue(in.getLong(), Duration.ofMillis(in.getLong()), Duration.ofMillis(in.getLong()));
    }
}
