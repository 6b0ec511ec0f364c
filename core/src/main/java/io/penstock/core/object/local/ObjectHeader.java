package io.penstock.core.object.local;

import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.object.ObjectVersion;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The first bytes of an object's file, big-endian; the body follows.
 *
 * <pre>
 *  0  magic "PSOB"     4
 *  4  format           2   1
 *  6  summed           2   1 if the body is summed, else 0
 *  8  tag              8   random: the object's version
 * 16  modified         8   milliseconds since 1970
 * 24  body length      8
 * 32  body's CRC32C    4   0 if it is not summed
 * 36  CRC32C           4   of all before it
 * </pre>
 *
 * <p>Uploads are not summed: their parts come in any order.
 *
 * @param tag names the content
 * @param modifiedMillis when it was written, milliseconds since 1970
 * @param bodyBytes length of the body
 * @param bodySum the body's CRC32C; null if it is not summed
 */
record ObjectHeader(
        long tag,
        long modifiedMillis,
        long bodyBytes,
        @Nullable Integer bodySum) {
    /** The length of the header, in bytes: the body follows it. */
    static final int BYTES = 40;

    private static final int MAGIC = 0x50534f42;
    private static final short FORMAT = 1;

    /** The header of an object that is put in one piece. */
    static ObjectHeader of(long tag, long modifiedMillis, Bytes body) {
        return new ObjectHeader(tag, modifiedMillis, body.length(), sum(body.array(), body.offset(), body.length()));
    }

    /** The header of an object that is uploaded in parts. */
    static ObjectHeader ofUpload(long tag, long modifiedMillis, long bodyBytes) {
        return new ObjectHeader(tag, modifiedMillis, bodyBytes, null);
    }

    ObjectVersion version() {
        return new ObjectVersion(HexFormat.of().toHexDigits(tag));
    }

    /** The encoded header, ready to be written. */
    ByteBuffer encode() {
        ByteBuffer out = ByteBuffer.allocate(BYTES);
        out.putInt(MAGIC).putShort(FORMAT).putShort((short) (bodySum == null ? 0 : 1));
        out.putLong(tag).putLong(modifiedMillis).putLong(bodyBytes);
        out.putInt(bodySum == null ? 0 : bodySum);
        out.putInt(sum(out.array(), 0, out.position()));
        return out.flip();
    }

    /**
     * Reads and checks a header.
     *
     * @param head the first {@link #BYTES} of the file, fewer if it is shorter
     * @param fileBytes the whole file's length
     * @param file for messages
     */
    static ObjectHeader decode(byte[] head, int length, long fileBytes, Path file) {
        if (length < BYTES) {
            throw new CorruptDataException(
                    "an object's file is shorter than its header; restore it", "file", file, "bytes", length);
        }
        ByteBuffer in = ByteBuffer.wrap(head, 0, length);
        boolean isObject = in.getInt() == MAGIC;
        short format = in.getShort();
        if (isObject && format != FORMAT) {
            throw new CorruptDataException(
                    ErrorCode.OTHER_RELEASE,
                    "an object's file has an unknown format; open it with the release that wrote it",
                    "file",
                    file,
                    "format",
                    format,
                    "expected",
                    FORMAT);
        }
        boolean isSummed = in.getShort() != 0;
        ObjectHeader header = new ObjectHeader(in.getLong(), in.getLong(), in.getLong(), sumOf(in.getInt(), isSummed));
        if (!isObject || in.getInt() != sum(head, 0, BYTES - Integer.BYTES)) {
            throw new CorruptDataException("an object's file header is damaged; restore the file", "file", file);
        }
        if (fileBytes != BYTES + header.bodyBytes) {
            throw new CorruptDataException(
                    "an object's file has the wrong length; restore it",
                    "file",
                    file,
                    "bytes",
                    fileBytes,
                    "expected",
                    BYTES + header.bodyBytes);
        }
        return header;
    }

    private static @Nullable Integer sumOf(int stored, boolean isSummed) {
        return isSummed ? stored : null;
    }

    /** Checks a whole body. */
    void check(byte[] body, Path file) {
        if (bodySum != null && bodySum != sum(body, 0, body.length)) {
            throw new CorruptDataException("an object's body is damaged; restore the file", "file", file);
        }
    }

    private static int sum(byte[] bytes, int from, int length) {
        CRC32C sum = new CRC32C();
        sum.update(bytes, from, length);
        return (int) sum.getValue();
    }
}
