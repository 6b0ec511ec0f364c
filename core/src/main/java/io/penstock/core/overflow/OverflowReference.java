package io.penstock.core.overflow;

import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.CorruptDataException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A reference to a payload that is too large for its page; log records and leaves have it in the payload's place.
 * Client and number together name one object, which is written once and never again. Immutable.
 *
 * <pre>
 * u64 client | u64 number | u64 length | u32 CRC32C of the payload        little-endian
 * </pre>
 *
 * @param client that wrote the object
 * @param number drawn at random for this object
 * @param length of the payload in bytes
 * @param checksum CRC-32C of the payload
 */
public record OverflowReference(ClientId client, long number, long length, int checksum) {
    /** The length of every encoded reference. */
    public static final int BYTES = 28;

    public Bytes encode() {
        ByteBuffer out = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
        out.putLong(client.value()).putLong(number).putLong(length).putInt(checksum);
        return Bytes.wrap(out.array());
    }

    /** @throws CorruptDataException when these bytes are not a reference */
    public static OverflowReference decode(Bytes bytes) {
        if (bytes.length() != BYTES) {
            throw new CorruptDataException(
                    "a reference to an overflow object has the wrong length; run verify",
                    "bytes",
                    bytes.length(),
                    "expected",
                    BYTES);
        }
        ByteBuffer in = ByteBuffer.wrap(bytes.array(), bytes.offset(), BYTES).order(ByteOrder.LITTLE_ENDIAN);
        OverflowReference reference =
                new OverflowReference(new ClientId(in.getLong()), in.getLong(), in.getLong(), in.getInt());
        if (reference.length < 0 || reference.length > OverflowStore.PAYLOAD_BYTES_MAX) {
            throw new CorruptDataException(
                    "a reference to an overflow object has an impossible length; run verify",
                    "length",
                    reference.length,
                    "lengthMax",
                    OverflowStore.PAYLOAD_BYTES_MAX);
        }
        return reference;
    }

    /** The last part of the object's key. */
    String name() {
        return client.hex() + java.util.HexFormat.of().toHexDigits(number);
    }
}
