package io.penstock.commit.log;

import io.penstock.core.Bytes;
import java.util.zip.CRC32C;

/**
 * The header of every message, and of the objects of a commit log.
 *
 * <pre>
 * u8 'P' | u8 kind | u8 format version | u32 CRC32C of the rest | rest
 * </pre>
 */
public final class Frame {
    private static final int MAGIC = 'P';

    /** The version of messages that need nothing newer, so that older releases can still read them. */
    public static final int VERSION = 1;

    /** The version of messages with a log record whose payload is an overflow reference; otherwise as version 1. */
    public static final int VERSION_WITH_REFERENCES = 2;

    /** The version of PU messages that name a predecessor. */
    static final int VERSION_WITH_PREDECESSOR = 3;

    /** The version of messages with a log record that expires, and of PU messages that name no predecessor besides. */
    public static final int VERSION_WITH_EXPIRY = 4;

    /** The version of PU messages with such a record that name a predecessor. */
    static final int VERSION_WITH_BOTH = 5;

    /** The version of the commit log's objects, handed-in transactions and tokens with a log record that expires. */
    public static final int OBJECT_VERSION_WITH_EXPIRY = 2;

    /** The bytes before the rest. */
    public static final int HEADER_BYTES = 7;

    private Frame() {}

    /** The content of a message: the version of its format, and the rest of its bytes. */
    public record Content(int version, WireReader rest) {}

    /** Puts a header before the rest of a message. */
    public static Bytes wrap(int kind, int version, Bytes rest) {
        return new WireWriter(HEADER_BYTES + rest.length())
                .u8(MAGIC)
                .u8(kind)
                .u8(version)
                .u32(checksum(rest))
                .raw(rest)
                .toBytes();
    }

    /**
     * Checks the header of a message.
     *
     * @param newest the newest version of this kind of messages
     * @param what names the message in the error when it is damaged
     */
    public static Content unwrap(int kind, int newest, Bytes message, String what) {
        WireReader in = new WireReader(message, what);
        if (in.u8() != MAGIC || in.u8() != kind) {
            throw in.corrupt("it is no message of this kind");
        }
        int version = in.u8();
        if (version < VERSION || version > newest) {
            throw in.corrupt("format version " + version + " is not known here; use a newer penstock");
        }
        int expected = in.u32();
        Bytes rest = message.slice(HEADER_BYTES, message.length());
        if (checksum(rest) != expected) {
            throw in.corrupt("the checksum does not match");
        }
        return new Content(version, new WireReader(rest, what));
    }

    private static int checksum(Bytes bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.array(), bytes.offset(), bytes.length());
        return (int) crc.getValue();
    }
}
