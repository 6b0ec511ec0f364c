package io.penstock.core.overflow;

import io.penstock.core.ClientId;
import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * A reference to an overflow object. Client and number together name one object, which is written once and never again.
 * Immutable.
 *
 * @param client that wrote the object
 * @param number drawn at random for this object
 * @param length of the payload in it, in bytes
 */
public record OverflowReference(ClientId client, long number, long length) {
    /** The length of every encoded reference. */
    static final int BYTES = 24;

    void encode(ByteBuffer out) {
        out.putLong(client.value()).putLong(number).putLong(length);
    }

    static OverflowReference decode(ByteBuffer in) {
        return new OverflowReference(new ClientId(in.getLong()), in.getLong(), in.getLong());
    }

    /** The last part of the object's key. */
    String name() {
        return client.hex() + HexFormat.of().toHexDigits(number);
    }
}
