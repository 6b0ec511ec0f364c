package io.penstock.core.object.local;

import io.penstock.core.CorruptDataException;
import io.penstock.core.object.ObjectVersion;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.zip.CRC32C;

/**
 * The first bytes of an object's file, big-endian; the body follows.
 *
 * <pre>
 *  0  magic "PSOB"     4
 *  4  format version   4   1
 *  8  tag              8   random: the object's version
 * 16  modified         8   milliseconds since 1970
 * 24  body length      8
 * 32  CRC32C           4   of all before it
 * </pre>
 *
 * The body is not summed: a page brings its own checksum, and a cut-off file shows in its length.
 *
 * @param tag names the content
 * @param modifiedMillis when it was written, milliseconds since 1970
 * @param bodyBytes length of the body
 */
record ObjectHeader(long tag, long modifiedMillis, long bodyBytes) {
    static final int BYTES = 36;

    private static final int MAGIC = 0x50534f42;
    private static final int FORMAT_VERSION = 1;
    private static final int SUM_OFFSET = BYTES - Integer.BYTES;

    ObjectVersion version() {
        return new ObjectVersion(HexFormat.of().toHexDigits(tag));
    }

    /** The encoded header, ready to be written. */
    ByteBuffer encode() {
        ByteBuffer out = ByteBuffer.allocate(BYTES);
        out.putInt(MAGIC).putInt(FORMAT_VERSION);
        out.putLong(tag).putLong(modifiedMillis).putLong(bodyBytes);
        out.putInt(sum(out.array()));
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
        ByteBuffer in = ByteBuffer.wrap(head, 0, BYTES);
        int magic = in.getInt();
        int format = in.getInt();
        ObjectHeader header = new ObjectHeader(in.getLong(), in.getLong(), in.getLong());
        if (magic != MAGIC || in.getInt() != sum(head)) {
            throw new CorruptDataException("an object's file header is damaged; restore the file", "file", file);
        }
        if (format != FORMAT_VERSION) {
            throw new CorruptDataException(
                    "an object's file has an unknown format; open it with the release that wrote it",
                    "file",
                    file,
                    "format",
                    format,
                    "expected",
                    FORMAT_VERSION);
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

    private static int sum(byte[] head) {
        CRC32C sum = new CRC32C();
        sum.update(head, 0, SUM_OFFSET);
        return (int) sum.getValue();
    }
}
