package io.penstock.core.page;

import static io.penstock.core.page.PageFormat.i32;
import static io.penstock.core.page.PageFormat.i64;

import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.PageId;
import io.penstock.core.TreeId;
import io.penstock.core.overflow.OverflowParts;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Checks the bytes of one page: the checksum over all of them, then everything else in one pass from front to back,
 * which also gathers the {@link EntryIndex}. It checks each length before using it, so that neither it nor a later
 * accessor reads outside the page. It allocates no more than the header and the index.
 */
final class PageDecoder {
    private final Bytes stored;
    private final byte[] array;
    private final int at;
    private final PageId expected;
    private final String objectKey;
    private @Nullable Long version;

    PageDecoder(Bytes stored, PageId expected, String objectKey) {
        this.stored = stored;
        this.array = stored.array();
        this.at = stored.offset();
        this.expected = expected;
        this.objectKey = objectKey;
    }

    PageImage decode() {
        checkFrame();
        PageKind kind = kind();
        long left = stored.length() - PageFormat.FIXED_BYTES;
        int highLength = i32(array, at + PageFormat.AT_HIGH_KEY_LENGTH);
        boolean hasHigh = highLength != PageFormat.NO_HIGH_KEY;
        left = take("high key length", left, hasHigh ? highLength : 0);
        int extensionLength = i32(array, at + PageFormat.AT_EXTENSION_LENGTH);
        left = take("extension length", left, extensionLength);
        int prefixLength = i32(array, at + PageFormat.AT_PREFIX_LENGTH);
        left = take("prefix length", left, prefixLength);
        int clients = i32(array, at + PageFormat.AT_CLIENT_COUNT);
        left = take("client count", left, clients, PageFormat.CLIENT_BYTES);
        int count = i32(array, at + PageFormat.AT_COUNT);
        int width = array[at + PageFormat.AT_SLOT_WIDTH];
        long heapBytes = take("entry count", left, count, kind == PageKind.LEDGER ? 0 : width);
        checkShape(kind, count, prefixLength, clients, width, heapBytes);
        PageHeader header = header(kind, hasHigh ? highLength : 0, hasHigh, extensionLength);
        boolean isLeaf = kind.holdsRecords();
        EntryIndex index = kind == PageKind.LEDGER
                ? EntryIndex.NONE
                : new Entries(count, isLeaf, width, at + stored.length() - (int) heapBytes, clients).check();
        PageImage image = new PageImage(stored, header, index);
        if (header.highKey() != null && count > 0) {
            boolean below = image.compareKey(header.highKey(), count - 1) > 0;
            require(below, "last key", "below the high key", "not below");
        }
        return image;
    }

    private void checkFrame() {
        int length = stored.length();
        require(length >= PageFormat.FIXED_BYTES, "length", "at least " + PageFormat.FIXED_BYTES, length);
        int magic = i32(array, at + PageFormat.AT_MAGIC);
        require(magic == PageFormat.MAGIC, "magic", hex(PageFormat.MAGIC), hex(magic));
        int format = PageFormat.u16(array, at + PageFormat.AT_FORMAT);
        require(format == PageFormat.VERSION, "format version", PageFormat.VERSION, format);
        int said = i32(array, at + PageFormat.AT_LENGTH);
        require(said == length, "length", said, length);
        int crc = i32(array, at + PageFormat.AT_CRC);
        int found = PageFormat.checksum(array, at, length);
        require(crc == found, "checksum", hex(crc), hex(found));
        version = i64(array, at + PageFormat.AT_PAGE_VERSION);
        PageId id = new PageId(new TreeId(i64(array, at + PageFormat.AT_TREE)), i64(array, at + PageFormat.AT_NUMBER));
        require(id.equals(expected), "page", expected, id);
        require(version >= 0, "page version", "at least 0", version);
    }

    private PageKind kind() {
        byte code = array[at + PageFormat.AT_KIND];
        int level = array[at + PageFormat.AT_LEVEL];
        for (PageKind kind : PageKind.values()) {
            if (kind.code() == code) {
                boolean levelFits = kind == PageKind.INNER ? level > 0 : level == 0;
                require(levelFits, "level", kind == PageKind.INNER ? "1 to 127" : 0, level);
                return kind;
            }
        }
        throw corrupt("kind", "1 to 4", code);
    }

    private long take(String what, long left, int length) {
        return take(what, left, length, 1);
    }

    private long take(String what, long left, int number, int each) {
        require(number >= 0 && (long) number * each <= left, what, "0 to " + (each == 0 ? 0 : left / each), number);
        return left - (long) number * each;
    }

    private void checkShape(PageKind kind, int count, int prefix, int clients, int width, long heapBytes) {
        if (kind == PageKind.LEDGER) {
            require(count == 0 && prefix == 0 && clients == 0 && width == 0, "ledger body", "opaque", "entries");
            return;
        }
        int expectedWidth = PageFormat.slotWidth(heapBytes);
        require(width == expectedWidth, "slot width", expectedWidth, width);
        require(kind.holdsRecords() || count > 0, "entry count", "at least 1", count);
        require(kind.holdsRecords() || clients == 0, "client count", 0, clients);
        require(count > 0 || (heapBytes == 0 && prefix == 0), "body bytes", 0, heapBytes + prefix);
    }

    private PageHeader header(PageKind kind, int highLength, boolean hasHigh, int extensionLength) {
        long right = i64(array, at + PageFormat.AT_RIGHT);
        require((right != PageId.NONE) == hasHigh, "high key", right == PageId.NONE ? "none" : "one", hasHigh);
        int highAt = PageFormat.FIXED_BYTES;
        Bytes extension = stored.slice(highAt + highLength, highAt + highLength + extensionLength);
        require(PageExtension.isSound(extension), "extension", "fields", "bytes=" + extensionLength);
        return new PageHeader(
                expected,
                kind,
                array[at + PageFormat.AT_LEVEL],
                i64(array, at + PageFormat.AT_PAGE_VERSION),
                i64(array, at + PageFormat.AT_WRITE_ID),
                right,
                hasHigh ? stored.slice(highAt, highAt + highLength) : null,
                new Origin(i64(array, at + PageFormat.AT_ORIGIN_PAGE), i64(array, at + PageFormat.AT_ORIGIN_VERSION)),
                i64(array, at + PageFormat.AT_CHECKPOINT),
                extension);
    }

    private void require(boolean holds, String what, Object wanted, @Nullable Object found) {
        if (!holds) {
            throw corrupt(what, wanted, found);
        }
    }

    private CorruptDataException corrupt(String what, Object wanted, @Nullable Object found) {
        return new CorruptDataException(
                ErrorCode.PAGE_DAMAGED,
                "a stored page fails a check; do not trust it, restore it or run verify",
                "key",
                objectKey,
                "version",
                version == null ? "unknown" : version,
                "check",
                what,
                "expected",
                wanted,
                "found",
                found);
    }

    private static String hex(int value) {
        return java.util.HexFormat.of().toHexDigits(value);
    }

    /** Checks slots and entries in order. It builds messages only for errors, because pages have many entries. */
    private final class Entries {
        private static final byte FLAGS_MAX = PageFormat.EXPIRES | PageFormat.REFERENCE;

        private final int count;
        private final boolean isLeaf;
        private final int width;
        private final int heapAt;
        private final int clients;
        private final int end;
        private final long baseTime;

        /** The entry that was checked last: its flags, its key after the prefix, and its time. */
        private byte flags;

        private int suffixAt;
        private int suffixLength;
        private long time;
        private int next;

        Entries(int count, boolean isLeaf, int width, int heapAt, int clients) {
            this.count = count;
            this.isLeaf = isLeaf;
            this.width = width;
            this.heapAt = heapAt;
            this.clients = clients;
            this.end = at + stored.length();
            this.baseTime = i64(array, at + PageFormat.AT_BASE_TIME);
        }

        /**
         * Checks also that keys ascend strictly; otherwise a search could give wrong answers. All have the same prefix,
         * so suffixes are compared, and in most cases their heads are enough.
         */
        EntryIndex check() {
            int[] heads = new int[count];
            long newest = Long.MIN_VALUE;
            boolean puts = isLeaf;
            int slotsAt = heapAt - count * width;
            int start = heapAt;
            for (int i = 0; i < count; i++) {
                int before = suffixAt;
                int beforeEnd = suffixAt + suffixLength;
                int stop = stop(slotsAt, i, start);
                checkEntry(start, stop);
                heads[i] = PageFormat.head(array, suffixAt, suffixLength);
                boolean ascends =
                        i == 0 || heads[i] > heads[i - 1] || heads[i] == heads[i - 1] && isAbove(before, beforeEnd);
                if (!ascends) {
                    throw corrupt("key order", "ascending", "entry " + i);
                }
                newest = isLeaf ? Math.max(newest, time) : newest;
                puts &= flags == PageFormat.PUT;
                start = stop;
            }
            return new EntryIndex(heads, newest, puts);
        }

        /** The end of an entry: the start of the next one, or of the page. The first one starts with the heap. */
        private int stop(int slotsAt, int entry, int start) {
            if (entry == 0 && PageFormat.slot(array, slotsAt, width, 0) != 0) {
                throw corrupt("slot", 0, PageFormat.slot(array, slotsAt, width, 0));
            }
            long stop = entry + 1 < count ? heapAt + (long) PageFormat.slot(array, slotsAt, width, entry + 1) : end;
            if (stop <= start || stop > end) {
                throw corrupt("slot", "above " + (start - heapAt), stop - heapAt);
            }
            return (int) stop;
        }

        private boolean isAbove(int before, int beforeEnd) {
            return Arrays.compareUnsigned(array, before, beforeEnd, array, suffixAt, suffixAt + suffixLength) < 0;
        }

        private void checkEntry(int start, int stop) {
            if (isLeaf) {
                checkLeafEntry(start, stop);
                return;
            }
            suffixAt = start + PageFormat.CHILD_BYTES;
            suffixLength = stop - suffixAt;
            if (suffixLength < 0) {
                throw corrupt("entry length", "at least 8", stop - start);
            }
            if (i64(array, start) == PageId.NONE) {
                throw corrupt("child", "a page number", PageId.NONE);
            }
        }

        private void checkLeafEntry(int start, int stop) {
            flags = array[start];
            boolean both = (flags & PageFormat.TOMBSTONE) != 0 && flags != PageFormat.TOMBSTONE;
            if (flags < PageFormat.PUT || flags > FLAGS_MAX || both) {
                throw corrupt("entry flags", "0 to " + FLAGS_MAX, flags);
            }
            next = start + 1;
            long length = varint(stop);
            if (length < 0 || length > stop - next) {
                throw corrupt("key length", stop - next, length);
            }
            suffixAt = next;
            suffixLength = (int) length;
            next += suffixLength;
            time = baseTime + varint(stop);
            long client = varint(stop);
            if (client < 0 || client >= clients) {
                throw corrupt("client index", "below " + clients, client);
            }
            if (flags != PageFormat.PUT) {
                checkPayload(stop);
            }
        }

        private void checkPayload(int stop) {
            if ((flags & PageFormat.EXPIRES) != 0) {
                long expiry = varint(stop);
                if (expiry < 0 || expiry == Expiry.NEVER) {
                    throw corrupt("expiry", "a time", expiry);
                }
            }
            int payload = stop - next;
            if (flags == PageFormat.TOMBSTONE && payload != 0) {
                throw corrupt("tombstone payload", 0, payload);
            }
            if ((flags & PageFormat.REFERENCE) != 0 && !OverflowParts.isWellFormed(array, next, payload)) {
                throw corrupt("reference bytes", "those of its objects", payload);
            }
        }

        /** Reads a varint at {@code next} that must end before {@code stop}, and moves past it. */
        private long varint(int stop) {
            int at = next;
            if (at < stop && array[at] >= 0) {
                next = at + 1;
                return array[at];
            }
            if (at + Long.BYTES <= end) {
                long eight = i64(array, at);
                int bytes = PageFormat.varintBytesIn(eight);
                if (bytes <= Math.min(Long.BYTES, stop - at)) {
                    next = at + bytes;
                    return PageFormat.varintOf(eight, bytes);
                }
            }
            return longVarint(at, stop);
        }

        private long longVarint(int start, int stop) {
            int at = start;
            long value = 0;
            for (int shift = 0; shift < 70; shift += 7) {
                if (at >= stop) {
                    throw corrupt("varint", "an end within the entry", "none");
                }
                byte b = array[at++];
                value |= (long) (b & 0x7f) << shift;
                if (b >= 0) {
                    next = at;
                    return value;
                }
            }
            throw corrupt("varint", "at most 10 bytes", "more");
        }
    }
}
