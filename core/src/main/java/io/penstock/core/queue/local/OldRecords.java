package io.penstock.core.queue.local;

import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.queue.QueueRules;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The records in an {@link OldQueueFile}, as log entries. They have no checksums. All numbers are big-endian. */
final class OldRecords {
    private static final int QUEUE_BYTES = 24;
    private static final int MESSAGE_HEAD_BYTES = 16;

    private OldRecords() {}

    /** A queue: its number, retention and visibility in milliseconds, 8 bytes each. */
    static LogEntry queue(String name, byte @Nullable [] bytes) {
        if (bytes == null || bytes.length != QUEUE_BYTES || bytes[0] < 0) {
            throw new CorruptDataException("a queue in the queue file cannot be read; restore the file", "queue", name);
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        long id = in.getLong();
        Duration retention = Duration.ofMillis(in.getLong());
        Duration visibility = Duration.ofMillis(in.getLong());
        try {
            QueueRules.checkName(name);
            QueueRules.checkAttributes(new QueueAttributes(retention, visibility));
            return LogEntry.queue(id, name, retention, visibility);
        } catch (InvalidRequestException e) {
            throw new CorruptDataException(
                    "a queue in the queue file has a name or times out of range; restore the file", e, "queue", name);
        }
    }

    /** A message: time sent in milliseconds since 1970 and id, 8 bytes each, then the body. */
    static LogEntry message(MessageKey key, byte[] bytes) {
        if (bytes.length < MESSAGE_HEAD_BYTES) {
            throw new CorruptDataException(
                    "a message in the queue file is cut off; restore the file", "bytes", bytes.length);
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        long sentMillis = in.getLong();
        long id = in.getLong();
        Bytes body = Bytes.wrap(bytes, MESSAGE_HEAD_BYTES, bytes.length - MESSAGE_HEAD_BYTES);
        return LogEntry.message(key.queue(), key.number(), sentMillis, id, body);
    }
}
