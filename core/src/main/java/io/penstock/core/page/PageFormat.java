package io.penstock.core.page;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * Offsets and primitives of the page format. Numbers are little-endian, as on the machines it runs
 * on; keys are plain bytes.
 *
 * <pre>
 * fixed header (112) | high key | extension | key prefix | client dictionary | slots | heap
 * </pre>
 *
 * A change of the bytes needs a new number here and in {@code docs/FORMATS.md}.
 */
final class PageFormat {
    /** The magic number of a page: "PNST" as bytes. */
    static final int MAGIC = 'P' | 'N' << 8 | 'S' << 16 | 'T' << 24;

    static final int VERSION = 1;

    static final int AT_MAGIC = 0;
    static final int AT_FORMAT = 4;
    static final int AT_KIND = 6;
    static final int AT_LEVEL = 7;
    static final int AT_LENGTH = 8;
    static final int AT_CRC = 12;
    static final int AT_PAGE_VERSION = 16;
    static final int AT_WRITE_ID = 24;
    static final int AT_TREE = 32;
    static final int AT_NUMBER = 40;
    static final int AT_RIGHT = 48;
    static final int AT_ORIGIN_PAGE = 56;
    static final int AT_ORIGIN_VERSION = 64;
    static final int AT_CHECKPOINT = 72;
    static final int AT_BASE_TIME = 80;
    static final int AT_COUNT = 88;
    static final int AT_HIGH_KEY_LENGTH = 92;
    static final int AT_EXTENSION_LENGTH = 96;
    static final int AT_PREFIX_LENGTH = 100;
    static final int AT_CLIENT_COUNT = 104;
    static final int AT_SLOT_WIDTH = 108;
    static final int FIXED_BYTES = 112;

    /** The high key length of a page that has none. */
    static final int NO_HIGH_KEY = -1;

    /** The flags of a leaf entry. */
    static final byte PUT = 0;

    static final byte TOMBSTONE = 1;

    /** The payload is a reference to an overflow object. */
    static final byte REFERENCE = 2;

    /** An expiry stands before the payload, or the reference; goes with either. */
    static final byte EXPIRES = 4;

    /** A heap up to this size is addressed by slots of two bytes. */
    static final int NARROW_HEAP_BYTES_MAX = 1 << 16;

    static final int CLIENT_BYTES = Long.BYTES;
    static final int CHILD_BYTES = Long.BYTES;

    private static final VarHandle SHORTS =
            MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private PageFormat() {}

    static int u16(byte[] array, int at) {
        return (short) SHORTS.get(array, at) & 0xffff;
    }

    static int i32(byte[] array, int at) {
        return (int) INTS.get(array, at);
    }

    static long i64(byte[] array, int at) {
        return (long) LONGS.get(array, at);
    }

    /**
     * The first four of {@code length} bytes as a number, padded with zeros. Different heads are ordered as their bytes
     * are.
     */
    static int head(byte[] array, int at, int length) {
        if (length >= Integer.BYTES) {
            return Integer.reverseBytes(i32(array, at)) ^ Integer.MIN_VALUE;
        }
        int head = 0;
        for (int i = 0; i < Integer.BYTES; i++) {
            head = head << Byte.SIZE | (i < length ? array[at + i] & 0xff : 0);
        }
        // Makes the signed comparison an unsigned one.
        return head ^ Integer.MIN_VALUE;
    }

    static void putU16(byte[] array, int at, int value) {
        SHORTS.set(array, at, (short) value);
    }

    static void putI32(byte[] array, int at, int value) {
        INTS.set(array, at, value);
    }

    static void putI64(byte[] array, int at, long value) {
        LONGS.set(array, at, value);
    }

    static int slotWidth(long heapBytes) {
        return heapBytes <= NARROW_HEAP_BYTES_MAX ? Short.BYTES : Integer.BYTES;
    }

    static int slot(byte[] array, int slotsAt, int width, int index) {
        return width == Short.BYTES ? u16(array, slotsAt + 2 * index) : i32(array, slotsAt + 4 * index);
    }

    static void putSlot(byte[] array, int slotsAt, int width, int index, int value) {
        if (width == Short.BYTES) {
            putU16(array, slotsAt + 2 * index, value);
        } else {
            putI32(array, slotsAt + 4 * index, value);
        }
    }

    /** The length of {@code value}, taken as unsigned, as a varint: 7 bits per byte, lowest first. */
    static int varintBytes(long value) {
        return value == 0 ? 1 : (70 - Long.numberOfLeadingZeros(value)) / 7;
    }

    /** Writes a varint and returns the offset after it. */
    static int putVarint(byte[] array, int at, long value) {
        int next = at;
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            array[next++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        array[next++] = (byte) rest;
        return next;
    }

    /** Reads a varint that is known to be complete. */
    static long varint(byte[] array, int at) {
        byte first = array[at];
        if (first >= 0) {
            return first;
        }
        long value = first & 0x7f;
        int shift = 7;
        for (int next = at + 1; ; next++, shift += 7) {
            byte b = array[next];
            value |= (long) (b & 0x7f) << shift;
            if (b >= 0) {
                return value;
            }
        }
    }

    /**
     * The number of bytes of a varint of which {@code eight} has the beginning, lowest byte first; 9 when its end is
     * not among them.
     */
    static int varintBytesIn(long eight) {
        return Long.numberOfTrailingZeros(~eight & 0x8080808080808080L) / Byte.SIZE + 1;
    }

    /** The varint of up to eight bytes with which {@code eight} begins. Without a loop, as most times are long. */
    static long varintOf(long eight, int bytes) {
        long x = eight & 0x7f7f7f7f7f7f7f7fL & (-1L >>> Long.SIZE - bytes * Byte.SIZE);
        x = x & 0x007f007f007f007fL | (x & 0x7f007f007f007f00L) >>> 1;
        x = x & 0x00003fff00003fffL | (x & 0x3fff00003fff0000L) >>> 2;
        return x & 0x000000000fffffffL | (x & 0x0fffffff00000000L) >>> 4;
    }

    /** The offset after a varint that is known to be complete. */
    static int behindVarint(byte[] array, int at) {
        int next = at;
        while (array[next] < 0) {
            next++;
        }
        return next + 1;
    }

    /** Copies bytes as {@link System#arraycopy} does, faster for a few bytes, as keys have. */
    static void copy(byte[] from, int at, byte[] to, int toAt, int length) {
        if (length > 2 * Long.BYTES) {
            System.arraycopy(from, at, to, toAt, length);
        } else if (length >= Long.BYTES) {
            // Two numbers, which may overlap.
            LONGS.set(to, toAt, (long) LONGS.get(from, at));
            LONGS.set(to, toAt + length - Long.BYTES, (long) LONGS.get(from, at + length - Long.BYTES));
        } else if (length >= Integer.BYTES) {
            INTS.set(to, toAt, (int) INTS.get(from, at));
            INTS.set(to, toAt + length - Integer.BYTES, (int) INTS.get(from, at + length - Integer.BYTES));
        } else if (length > 0) {
            to[toAt] = from[at];
            to[toAt + length / 2] = from[at + length / 2];
            to[toAt + length - 1] = from[at + length - 1];
        }
    }

    /** The checksum of the page without the checksum itself. */
    static int checksum(byte[] array, int offset, int length) {
        CRC32C crc = new CRC32C();
        crc.update(array, offset, AT_CRC);
        crc.update(array, offset + AT_PAGE_VERSION, length - AT_PAGE_VERSION);
        return (int) crc.getValue();
    }
}
