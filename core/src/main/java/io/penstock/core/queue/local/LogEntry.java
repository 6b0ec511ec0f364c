package io.penstock.core.queue.local;

import io.penstock.core.Bytes;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * One entry of the queues' log: a queue, a message, or the deletion of one. A head of fixed length, then a body, both
 * with a checksum of their own, so that a damaged body is known by its head.
 *
 * <pre>
 *  0  magic "PSQE"     4
 *  4  head's CRC32C    4   of the place (segment 8, offset 8) and of the 52 bytes that follow
 *  8  kind             4   1 queue, 2 message, 3 deletion of a message, 4 deletion of a queue
 * 12  body length      4
 * 16  sequence         8   counts the log's entries
 * 24  queue            8   the queue's number
 * 32  number           8   counts the queue's messages; of a queue: its retention in milliseconds
 * 40  sent             8   milliseconds since 1970; of a queue: its visibility in milliseconds
 * 48  id               8   random, the message's id
 * 56  body's CRC32C    4
 * </pre>
 *
 * The body is that of the message, or the name of the queue.
 */
record LogEntry(Kind kind, long queue, long number, long sentMillis, long id, Bytes body) {
    static final int HEAD_BYTES = 60;

    private static final int MAGIC = 0x50535145;
    private static final int AT_SUM = 4;
    private static final int AT_KIND = 8;

    static LogEntry queue(long queue, String name, Duration retention, Duration visibility) {
        return new LogEntry(Kind.QUEUE, queue, retention.toMillis(), visibility.toMillis(), 0, Bytes.utf8(name));
    }

    static LogEntry message(long queue, long number, long sentMillis, long id, Bytes body) {
        return new LogEntry(Kind.MESSAGE, queue, number, sentMillis, id, body);
    }

    static LogEntry messageDeleted(long queue, long number) {
        return new LogEntry(Kind.MESSAGE_DELETED, queue, number, 0, 0, Bytes.EMPTY);
    }

    static LogEntry queueDeleted(long queue) {
        return new LogEntry(Kind.QUEUE_DELETED, queue, 0, 0, 0, Bytes.EMPTY);
    }

    int bytes() {
        return HEAD_BYTES + body.length();
    }

    /** Appends the entry to {@code out}, whose position is {@code place} of the log. */
    void encode(ByteBuffer out, Place place, long sequence) {
        int at = out.position();
        out.putInt(MAGIC).putInt(0).putInt(kind.code).putInt(body.length());
        out.putLong(sequence).putLong(queue).putLong(number).putLong(sentMillis).putLong(id);
        out.putInt(sum(body.array(), body.offset(), body.length()));
        out.putInt(at + AT_SUM, headSum(out.array(), out.arrayOffset() + at, place));
        out.put(body.array(), body.offset(), body.length());
    }

    private static int sum(byte[] bytes, int from, int length) {
        CRC32C sum = new CRC32C();
        sum.update(bytes, from, length);
        return (int) sum.getValue();
    }

    private static int headSum(byte[] bytes, int at, Place place) {
        CRC32C sum = new CRC32C();
        sum.update(ByteBuffer.allocate(16)
                .putLong(place.segment())
                .putLong(place.offset())
                .flip());
        sum.update(bytes, at + AT_KIND, HEAD_BYTES - AT_KIND);
        return (int) sum.getValue();
    }

    /** The kind of an entry. */
    enum Kind {
        QUEUE(1),
        MESSAGE(2),
        MESSAGE_DELETED(3),
        QUEUE_DELETED(4);

        private final int code;

        Kind(int code) {
            this.code = code;
        }

        private static @Nullable Kind of(int code) {
            for (Kind kind : values()) {
                if (kind.code == code) {
                    return kind;
                }
            }
            return null;
        }
    }

    /** An entry's head, whose checksum is right. */
    record Head(
            Kind kind, int bodyBytes, long sequence, long queue, long number, long sentMillis, long id, int bodySum) {
        /** The head at {@code at} of bytes that end at {@code end}; null when there is none of that place. */
        static @Nullable Head decode(byte[] bytes, int at, int end, long segment, int offset) {
            // Looked at first, as a search asks for every byte.
            if (end - at < HEAD_BYTES || bytes[at] != MAGIC >>> 24) {
                return null;
            }
            ByteBuffer in = ByteBuffer.wrap(bytes, at, HEAD_BYTES);
            if (in.getInt() != MAGIC || in.getInt() != headSum(bytes, at, new Place(segment, offset))) {
                return null;
            }
            Kind kind = Kind.of(in.getInt());
            int bodyBytes = in.getInt();
            if (kind == null || bodyBytes < 0) {
                return null;
            }
            return new Head(
                    kind, bodyBytes, in.getLong(), in.getLong(), in.getLong(), in.getLong(), in.getLong(), in.getInt());
        }

        int bytes() {
            return HEAD_BYTES + bodyBytes;
        }

        /** The entry with its body; null when the body is damaged. */
        @Nullable
        LogEntry withBody(byte[] bytes, int at) {
            return sum(bytes, at + HEAD_BYTES, bodyBytes) != bodySum
                    ? null
                    : new LogEntry(kind, queue, number, sentMillis, id, Bytes.wrap(bytes, at + HEAD_BYTES, bodyBytes));
        }
    }
}
