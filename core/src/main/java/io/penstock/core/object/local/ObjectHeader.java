package io.penstock.core.object.local;

import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
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
 *  4  format version   4   1 or 2
 *  8  tag              8   random: the object's version
 * 16  modified         8   milliseconds since 1970
 * 24  body length      8
 * 32  body's CRC32C    4   in format 2 only
 *     CRC32C           4   of all before it
 * </pre>
 *
 * Format 2 is that of objects put in one piece. Uploads, whose parts come in any order, have format 1, as do files of
 * earlier releases: there the body is not summed.
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
    /** The longest header. */
    static final int BYTES_MAX = 40;

    /** The header of an object whose body is not summed. */
    static final int PLAIN_BYTES = 36;

    private static final int MAGIC = 0x50534f42;
    private static final int PLAIN = 1;
    private static final int SUMMED = 2;

    /** The header of an object that is put in one piece. */
    static ObjectHeader of(long tag, long modifiedMillis, Bytes body) {
        return new ObjectHeader(tag, modifiedMillis, body.length(), sum(body.array(), body.offset(), body.length()));
    }

    /** The header of an object that is uploaded in parts. */
    static ObjectHeader ofUpload(long tag, long modifiedMillis, long bodyBytes) {
        return new ObjectHeader(tag, modifiedMillis, bodyBytes, null);
    }

    /** Its length: where the body begins. */
    int bytes() {
        return bodySum == null ? PLAIN_BYTES : BYTES_MAX;
    }

    ObjectVersion version() {
        return new ObjectVersion(HexFormat.of().toHexDigits(tag));
    }

    /** The encoded header, ready to be written. */
    ByteBuffer encode() {
        ByteBuffer out = ByteBuffer.allocate(bytes());
        out.putInt(MAGIC).putInt(bodySum == null ? PLAIN : SUMMED);
        out.putLong(tag).putLong(modifiedMillis).putLong(bodyBytes);
        if (bodySum != null) {
            out.putInt(bodySum);
        }
        out.putInt(sum(out.array(), 0, out.position()));
        return out.flip();
    }

    /**
     * Reads and checks a header.
     *
     * @param head the first {@link #BYTES_MAX} of the file, fewer if it is shorter
     * @param fileBytes the whole file's length
     * @param file for messages
     */
    static ObjectHeader decode(byte[] head, int length, long fileBytes, Path file) {
        if (length < PLAIN_BYTES) {
            throw new CorruptDataException(
                    "an object's file is shorter than its header; restore it", "file", file, "bytes", length);
        }
        ByteBuffer in = ByteBuffer.wrap(head, 0, length);
        int magic = in.getInt();
        int format = in.getInt();
        boolean isSummed = format == SUMMED && length == BYTES_MAX;
        ObjectHeader header =
                new ObjectHeader(in.getLong(), in.getLong(), in.getLong(), isSummed ? (Integer) in.getInt() : null);
        int end = in.position();
        if (magic != MAGIC || in.getInt() != sum(head, 0, end)) {
            throw new CorruptDataException("an object's file header is damaged; restore the file", "file", file);
        }
        checkFormat(format, file);
        if (fileBytes != header.bytes() + header.bodyBytes) {
            throw new CorruptDataException(
                    "an object's file has the wrong length; restore it",
                    "file",
                    file,
                    "bytes",
                    fileBytes,
                    "expected",
                    header.bytes() + header.bodyBytes);
        }
        return header;
    }

    private static void checkFormat(int format, Path file) {
        if (format != PLAIN && format != SUMMED) {
            throw new CorruptDataException(
                    "an object's file has an unknown format; open it with the release that wrote it",
                    "file",
                    file,
                    "format",
                    format,
                    "expected",
                    SUMMED);
        }
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
