package io.penstock.commit.index;

import io.penstock.core.Bytes;

/** The bytes of one field in the search key of an index of several: a mark, and those of its value, if it has one. */
public final class FieldPart {
    /** The part of a field that is null: after all others. */
    public static final Bytes NULL = Bytes.wrap(new byte[] {2});

    private static final Bytes PRESENT = Bytes.wrap(new byte[] {1});

    private FieldPart() {}

    /** The part of a field with a value of these bytes. */
    public static Bytes present(Bytes value) {
        return PRESENT.concat(value);
    }
}
