package io.penstock.commit.log;

import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import java.util.zip.CRC32C;

/**
 * The header of every message, and of the objects of a commit log.
 *
 * <pre>
 * u8 'P' | u8 kind | u8 format | u32 CRC32C of the rest | rest
 * </pre>
 */
public final class Frame {
    private static final int MAGIC = 'P';
    private static final int AT_FORMAT = 2;

    /** The format of all messages, objects and tokens that begin so. */
    private static final int FORMAT = 1;

    /** The bytes before the rest. */
    public static final int HEADER_BYTES = 7;

    private Frame() {}

    /** Puts a header before the rest of a message. */
    public static Bytes wrap(int kind, Bytes rest) {
        return new WireWriter(HEADER_BYTES + rest.length())
                .u8(MAGIC)
                .u8(kind)
                .u8(FORMAT)
                .u32(checksum(rest))
                .raw(rest)
                .toBytes();
    }

    /**
     * Checks the header of a message and returns the rest.
     *
     * @param what names the message in the error when it is damaged
     */
    public static WireReader unwrap(int kind, Bytes message, String what) {
        WireReader in = new WireReader(message, what);
        if (in.u8() != MAGIC || in.u8() != kind) {
            throw in.corrupt("it is no message of this kind");
        }
        int format = in.u8();
        if (format != FORMAT) {
            throw new CorruptDataException(
                    ErrorCode.OTHER_RELEASE,
                    "stored bytes are of a format that is not known here; use the penstock that wrote them",
                    "what",
                    what,
                    "format",
                    format);
        }
        int expected = in.u32();
        Bytes rest = message.slice(HEADER_BYTES, message.length());
        if (checksum(rest) != expected) {
            throw in.corrupt("the checksum does not match");
        }
        return new WireReader(rest, what);
    }

    /** Whether these bytes have the header of another format, of whatever kind. */
    public static boolean isOfOtherFormat(Bytes message) {
        return message.length() > AT_FORMAT && message.at(AT_FORMAT) != FORMAT;
    }

    private static int checksum(Bytes bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.array(), bytes.offset(), bytes.length());
        return (int) crc.getValue();
    }
}
