package io.penstock.core.seal;

import io.penstock.core.Bytes;
import java.nio.ByteBuffer;

/**
 * The header of one sealed chunk. Each chunk of an object has its own, so that a range of the object opens without the
 * rest.
 *
 * <pre>
 * 0      3     4          8      9        25        37            37 + n     53 + n
 * +------+-----+----------+------+---------+---------+------------+----------+
 * | PSE  | fmt | data key | last | salt    | nonce   | body, n    | tag      |
 * +------+-----+----------+------+---------+---------+------------+----------+
 * </pre>
 *
 * @param key the number of the data key
 * @param last whether it is the last chunk of its object
 * @param salt drawn for each object that is written, and in all its chunks
 * @param nonce drawn for each chunk
 */
record Frame(int key, boolean last, Bytes salt, Bytes nonce) {
    /** The magic, and the number of the format. */
    static final Bytes MAGIC = Bytes.utf8("PSE\u0001");

    static final int SALT_BYTES = 16;

    /** The bytes of a header. */
    static final int BYTES = 9 + SALT_BYTES + Gcm.NONCE_BYTES;

    /** The bytes that a sealed chunk has more than its body. */
    static final int OVERHEAD = BYTES + Gcm.TAG_BYTES;

    /** The body of every chunk but the last. */
    static final int CHUNK = 64 << 10;

    /** A sealed chunk that is not the last. */
    static final int WHOLE = CHUNK + OVERHEAD;

    static boolean isSealed(Bytes bytes) {
        return bytes.startsWith(MAGIC);
    }

    /** The bytes of what has a body of so many when it is sealed. */
    static long sealedBytes(long body) {
        return body + OVERHEAD * Math.max(1, Math.ceilDiv(body, CHUNK));
    }

    /** The bytes of the body of what has so many when it is sealed. */
    static long bodyBytes(long sealed) {
        return Math.max(0, sealed - OVERHEAD * Math.ceilDiv(sealed, WHOLE));
    }

    void write(byte[] to, int at) {
        MAGIC.copyTo(to, at);
        ByteBuffer.wrap(to, at + MAGIC.length(), 5).putInt(key).put((byte) (last ? 1 : 0));
        salt.copyTo(to, at + 9);
        nonce.copyTo(to, at + 9 + SALT_BYTES);
    }

    /** Reads the header of a chunk, which has the magic and is long enough. */
    static Frame read(Bytes chunk) {
        return new Frame(
                ByteBuffer.wrap(chunk.array(), chunk.offset() + MAGIC.length(), Integer.BYTES)
                        .getInt(),
                chunk.at(8) == 1,
                chunk.slice(9, 9 + SALT_BYTES),
                chunk.slice(9 + SALT_BYTES, BYTES));
    }
}
