package io.penstock.core.page;

import io.penstock.core.Bytes;
import java.util.Optional;

/**
 * What a leaf says of a page that it has taken over: images of that one, up to the version named, are old. Kept in the
 * extension of the header, as is the lower bound of a retired page.
 *
 * @param page the number of the retired page, in the same tree
 * @param version of the retired page, with which it was retired
 * @param millis when it was taken over, by the writer's clock
 */
public record Takeover(long page, long version, long millis) {
    private static final byte TAKEOVER = 1;
    private static final byte LOW = 2;
    private static final int TAKEOVER_BYTES = 1 + 3 * Long.BYTES;

    Bytes encode() {
        byte[] bytes = new byte[TAKEOVER_BYTES];
        bytes[0] = TAKEOVER;
        PageFormat.putI64(bytes, 1, page);
        PageFormat.putI64(bytes, 1 + Long.BYTES, version);
        PageFormat.putI64(bytes, 1 + 2 * Long.BYTES, millis);
        return Bytes.wrap(bytes);
    }

    static Optional<Takeover> decode(Bytes extension) {
        if (extension.length() != TAKEOVER_BYTES || extension.array()[extension.offset()] != TAKEOVER) {
            return Optional.empty();
        }
        byte[] array = extension.array();
        int at = extension.offset() + 1;
        return Optional.of(new Takeover(
                PageFormat.i64(array, at),
                PageFormat.i64(array, at + Long.BYTES),
                PageFormat.i64(array, at + 2 * Long.BYTES)));
    }

    static Bytes encodeLow(Bytes low) {
        byte[] bytes = new byte[1 + low.length()];
        bytes[0] = LOW;
        low.copyTo(bytes, 1);
        return Bytes.wrap(bytes);
    }

    static Bytes decodeLow(Bytes extension) {
        return extension.length() == 0 ? Bytes.EMPTY : extension.slice(1, extension.length());
    }
}
