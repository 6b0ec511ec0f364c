package io.penstock.commit.index;

import io.penstock.core.Bytes;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The part of a record that an entry of a covering index carries, as bytes: a format number, the checksum of the
 * name of the part's form, and the part. A program that knows another form, or none, reads the record instead.
 */
public final class IncludedPart {
    private static final byte FORMAT = 1;
    private static final int HEAD_BYTES = 1 + Integer.BYTES;

    private IncludedPart() {}

    public static Bytes encode(String form, Bytes part) {
        byte[] head = ByteBuffer.allocate(HEAD_BYTES)
                .put(FORMAT)
                .putInt(checksum(form))
                .array();
        return Bytes.wrap(head).concat(part);
    }

    /** The part, if the entry has one of this form. */
    public static Optional<Bytes> decode(String form, Bytes included) {
        if (included.length() < HEAD_BYTES || included.at(0) != FORMAT) {
            return Optional.empty();
        }
        int found = ByteBuffer.wrap(included.array(), included.offset() + 1, Integer.BYTES)
                .getInt();
        return found == checksum(form) ? Optional.of(included.slice(HEAD_BYTES, included.length())) : Optional.empty();
    }

    private static int checksum(String form) {
        CRC32C checksum = new CRC32C();
        checksum.update(Bytes.utf8(form).toArray());
        return (int) checksum.getValue();
    }
}
