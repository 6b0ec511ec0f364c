package io.penstock.core.page;

import io.penstock.core.Bytes;

/**
 * The extension of a page header: fields that few pages have, each {@code u8 tag | u8 length | value}. Fields of
 * unknown tags are kept as they are. Numbers are varints; a missing one is 0. Pure.
 */
final class PageExtension {
    /** The index epoch of a leaf. */
    static final int INDEX_EPOCH = 1;

    private static final int HEAD_BYTES = 2;
    private static final int VARINT_BYTES_MAX = 10;

    private PageExtension() {}

    /** Whether the bytes are fields, and the numbers among those known are whole. */
    static boolean isSound(Bytes extension) {
        int at = 0;
        while (at < extension.length()) {
            if (extension.length() - at < HEAD_BYTES || valueEnd(extension, at) > extension.length()) {
                return false;
            }
            if (extension.at(at) == INDEX_EPOCH
                    && !isVarint(extension.slice(at + HEAD_BYTES, valueEnd(extension, at)))) {
                return false;
            }
            at = valueEnd(extension, at);
        }
        return true;
    }

    private static boolean isVarint(Bytes value) {
        int last = value.length() - 1;
        if (last < 0 || last >= VARINT_BYTES_MAX || value.at(last) < 0) {
            return false;
        }
        for (int i = 0; i < last; i++) {
            if (value.at(i) >= 0) {
                return false;
            }
        }
        return true;
    }

    /** The number of a field, 0 when there is none. */
    static long number(Bytes extension, int tag) {
        for (int at = 0; at < extension.length(); at = valueEnd(extension, at)) {
            if (extension.at(at) == tag) {
                return PageFormat.varint(extension.array(), extension.offset() + at + HEAD_BYTES);
            }
        }
        return 0;
    }

    /** The same fields, with this number for one of them; 0 leaves it out. */
    static Bytes with(Bytes extension, int tag, long number) {
        Bytes others = without(extension, tag);
        if (number == 0) {
            return others;
        }
        int length = PageFormat.varintBytes(number);
        byte[] field = new byte[HEAD_BYTES + length];
        field[0] = (byte) tag;
        field[1] = (byte) length;
        PageFormat.putVarint(field, HEAD_BYTES, number);
        return others.isEmpty() ? Bytes.wrap(field) : others.concat(Bytes.wrap(field));
    }

    private static Bytes without(Bytes extension, int tag) {
        Bytes left = Bytes.EMPTY;
        for (int at = 0; at < extension.length(); at = valueEnd(extension, at)) {
            if (extension.at(at) != tag) {
                left = left.concat(extension.slice(at, valueEnd(extension, at)));
            }
        }
        return left;
    }

    private static int valueEnd(Bytes extension, int at) {
        return at + HEAD_BYTES + (extension.at(at + 1) & 0xff);
    }
}
