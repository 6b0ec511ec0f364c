package io.penstock.commit.index;

import io.penstock.core.Bytes;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The part of a record that an entry of a covering index carries, as bytes: a format number, the checksum of the
 * name of the part's form, and the part. A program that knows another form, or none, reads the record instead. Entries
 * of a bulk load have a format number of their own: they come before their records, which may never come.
 */
public final class IncludedPart {
    private static final byte FORMAT = 1;
    private static final byte OF_LOAD = 2;
    private static final int HEAD_BYTES = 1 + Integer.BYTES;

    private IncludedPart() {}

    public static Bytes encode(String form, Bytes part) {
        byte[] head = ByteBuffer.allocate(HEAD_BYTES)
                .put(FORMAT)
                .putInt(checksum(form))
                .array();
        return Bytes.wrap(head).concat(part);
    }

    /** Returns an included part, or the lack of one, as that of a bulk load's entry. */
    public static Bytes ofLoad(Bytes included) {
        return withFormat(OF_LOAD, included);
    }

    public static boolean isOfLoad(Bytes included) {
        return !included.isEmpty() && included.at(0) == OF_LOAD;
    }

    /** Whether two entries include the same, whoever wrote them. */
    public static boolean isSame(Bytes one, Bytes other) {
        return withFormat(FORMAT, one).equals(withFormat(FORMAT, other));
    }

    private static Bytes withFormat(byte format, Bytes included) {
        return included.isEmpty()
                ? included
                : Bytes.wrap(new byte[] {format}).concat(included.slice(1, included.length()));
    }

    /** The part, if the entry has one of this form. */
    public static Optional<Bytes> decode(String form, Bytes included) {
        if (included.length() < HEAD_BYTES || included.at(0) != FORMAT && !isOfLoad(included)) {
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
