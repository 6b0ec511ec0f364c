package io.penstock.core.queue.local;

import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import java.nio.ByteBuffer;

/**
 * A message in the file: time sent and id, 8 bytes each, big-endian, then the body.
 *
 * @param sentMillis when it was sent, milliseconds since 1970
 * @param id random; its hexadecimal form is the message id
 */
record StoredMessage(long sentMillis, long id, Bytes body) {
    private static final int HEADER_BYTES = 16;

    byte[] encode() {
        byte[] out = new byte[HEADER_BYTES + body.length()];
        ByteBuffer.wrap(out).putLong(sentMillis).putLong(id);
        body.copyTo(out, HEADER_BYTES);
        return out;
    }

    static StoredMessage decode(byte[] bytes) {
        if (bytes.length < HEADER_BYTES) {
            throw new CorruptDataException(
                    "a message in the queue file is cut off; restore the file", "bytes", bytes.length);
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        return new StoredMessage(
                in.getLong(), in.getLong(), Bytes.wrap(bytes, HEADER_BYTES, bytes.length - HEADER_BYTES));
    }
}
