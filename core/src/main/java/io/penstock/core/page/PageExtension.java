package io.penstock.core.page;

import io.penstock.core.Bytes;
import java.io.ByteArrayOutputStream;

/**
 * The extension of a page header: fields that few pages have, each {@code u8 tag | u8 length | value}. Fields with
 * unknown tags are kept. Numbers are varints; a missing one is 0. Pure.
 */
final class PageExtension {
    /** The index epoch of a leaf. */
    static final int INDEX_EPOCH = 1;

    /** The last page that the leaf has taken over: {@link LeafMerge}. Tags 2 and 3 belong to {@link LeafBlocks}. */
    static final int TAKEOVER = 4;

    /** The lower bound of a retired leaf's keys, spread over as many fields as needed. */
    static final int LOWER_BOUND = 5;

    private static final int HEAD_BYTES = 2;
    private static final int VALUE_BYTES_MAX = 255;
    private static final int VARINT_BYTES_MAX = 10;

    private PageExtension() {}

    /** Whether the bytes are fields, and the known numbers among them are complete and there once. */
    static boolean isSound(Bytes extension) {
        int at = 0;
        int once = 0;
        while (at < extension.length()) {
            if (extension.length() - at < HEAD_BYTES || valueEnd(extension, at) > extension.length()) {
                return false;
            }
            Bytes value = extension.slice(at + HEAD_BYTES, valueEnd(extension, at));
            int tag = extension.at(at);
            if (tag == INDEX_EPOCH && !isVarint(value) || tag == TAKEOVER && value.length() != LeafMerge.BYTES) {
                return false;
            }
            boolean isSingle = tag == INDEX_EPOCH || tag == TAKEOVER;
            if (isSingle && (once & 1 << tag) != 0) {
                return false;
            }
            once |= isSingle ? 1 << tag : 0;
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

    /** The number in a field; 0 when it is missing. */
    static long number(Bytes extension, int tag) {
        for (int at = 0; at < extension.length(); at = valueEnd(extension, at)) {
            if (extension.at(at) == tag) {
                return PageFormat.varint(extension.array(), extension.offset() + at + HEAD_BYTES);
            }
        }
        return 0;
    }

    /** Returns the fields with this number in one of them; 0 removes the field. */
    static Bytes with(Bytes extension, int tag, long number) {
        if (number == 0) {
            return Bytes.wrap(others(extension, tag).toByteArray());
        }
        byte[] value = new byte[PageFormat.varintBytes(number)];
        PageFormat.putVarint(value, 0, number);
        return with(extension, tag, Bytes.wrap(value));
    }

    /** The concatenated bytes of all fields with this tag. */
    static Bytes value(Bytes extension, int tag) {
        ByteArrayOutputStream value = new ByteArrayOutputStream(0);
        for (int at = 0; at < extension.length(); at = valueEnd(extension, at)) {
            if (extension.at(at) == tag) {
                write(extension, at + HEAD_BYTES, valueEnd(extension, at), value);
            }
        }
        return Bytes.wrap(value.toByteArray());
    }

    private static void write(Bytes from, int start, int end, ByteArrayOutputStream to) {
        to.write(from.array(), from.offset() + start, end - start);
    }

    /**
     * Returns the fields with these bytes in one of them, or in several if they are too long for one; no bytes remove
     * it.
     */
    static Bytes with(Bytes extension, int tag, Bytes value) {
        ByteArrayOutputStream fields = others(extension, tag);
        for (int from = 0; from < value.length(); from += VALUE_BYTES_MAX) {
            int end = Math.min(value.length(), from + VALUE_BYTES_MAX);
            fields.write(tag);
            fields.write(end - from);
            write(value, from, end, fields);
        }
        return Bytes.wrap(fields.toByteArray());
    }

    private static ByteArrayOutputStream others(Bytes extension, int tag) {
        ByteArrayOutputStream left = new ByteArrayOutputStream(extension.length());
        for (int at = 0; at < extension.length(); at = valueEnd(extension, at)) {
            if (extension.at(at) != tag) {
                write(extension, at, valueEnd(extension, at), left);
            }
        }
        return left;
    }

    private static int valueEnd(Bytes extension, int at) {
        return at + HEAD_BYTES + (extension.at(at + 1) & 0xff);
    }
}
