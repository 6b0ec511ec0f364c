package io.penstock.core.page;

import static io.penstock.core.page.PageFormat.i32;
import static io.penstock.core.page.PageFormat.i64;

import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.PageId;
import io.penstock.core.TreeId;
import io.penstock.core.overflow.OverflowReference;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Checks the bytes of one page from front to back. It checks each length before using it, so that neither it nor a
 * later accessor reads outside the page. It allocates no more than the header.
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
        if (kind != PageKind.LEDGER) {
            PageImage unchecked = PageImage.unchecked(stored, header);
            new Entries(unchecked, width, count, at + stored.length() - (int) heapBytes, clients).check();
        }
        return new PageImage(stored, header);
    }

    private void checkFrame() {
        int length = stored.length();
        require(length >= PageFormat.FIXED_BYTES, "length", "at least " + PageFormat.FIXED_BYTES, length);
        int magic = i32(array, at + PageFormat.AT_MAGIC);
        require(magic == PageFormat.MAGIC, "magic", hex(PageFormat.MAGIC), hex(magic));
        int format = PageFormat.u16(array, at + PageFormat.AT_FORMAT);
        boolean known = format == PageFormat.VERSION || format == PageFormat.VERSION_WITH_REFERENCES;
        require(known, "format version", "1 or 2", format);
        int said = i32(array, at + PageFormat.AT_LENGTH);
        require(said == length, "length", said, length);
        int crc = i32(array, at + PageFormat.AT_CRC);
        int found = PageFormat.checksum(array, at, length);
        require(crc == found, "checksum", hex(crc), hex(found));
        version = i64(array, at + PageFormat.AT_PAGE_VERSION);
        PageId id = id();
        require(id.equals(expected), "page", expected, id);
        require(version >= 0, "page version", "at least 0", version);
    }

    private PageId id() {
        return new PageId(new TreeId(i64(array, at + PageFormat.AT_TREE)), i64(array, at + PageFormat.AT_NUMBER));
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
        private final PageImage image;
        private final int width;
        private final int count;
        private final int heapAt;
        private final int clients;
        private final int end;
        private final byte flagsMax;
        private int next;

        Entries(PageImage image, int width, int count, int heapAt, int clients) {
            this.image = image;
            this.width = width;
            this.count = count;
            this.heapAt = heapAt;
            this.clients = clients;
            this.end = at + stored.length();
            boolean references = PageFormat.u16(array, at + PageFormat.AT_FORMAT) != PageFormat.VERSION;
            this.flagsMax = references ? PageFormat.REFERENCE : PageFormat.TOMBSTONE;
        }

        void check() {
            int slotsAt = heapAt - count * width;
            int start = heapAt;
            for (int i = 0; i < count; i++) {
                long slot = PageFormat.slot(array, slotsAt, width, i);
                if (heapAt + slot != start) {
                    throw corrupt("slot", start - heapAt, slot);
                }
                long following = i + 1 < count ? heapAt + (long) PageFormat.slot(array, slotsAt, width, i + 1) : end;
                if (following <= start || following > end) {
                    throw corrupt("slot", "above " + (start - heapAt), following - heapAt);
                }
                checkEntry(start, (int) following);
                start = (int) following;
            }
            checkOrder();
        }

        private void checkEntry(int start, int stop) {
            if (image.isLeaf()) {
                checkLeafEntry(start, stop);
            } else if (stop - start < PageFormat.CHILD_BYTES) {
                throw corrupt("entry length", "at least 8", stop - start);
            } else if (i64(array, start) == PageId.NONE) {
                throw corrupt("child", "a page number", PageId.NONE);
            }
        }

        private void checkLeafEntry(int start, int stop) {
            byte flags = array[start];
            if (flags < PageFormat.PUT || flags > flagsMax) {
                throw corrupt("entry flags", "0 to " + flagsMax, flags);
            }
            next = start + 1;
            long suffixLength = varint(stop);
            if (suffixLength < 0 || suffixLength > stop - next) {
                throw corrupt("key length", stop - next, suffixLength);
            }
            next += (int) suffixLength;
            varint(stop);
            long client = varint(stop);
            if (client < 0 || client >= clients) {
                throw corrupt("client index", "below " + clients, client);
            }
            int payload = stop - next;
            if (flags == PageFormat.TOMBSTONE && payload != 0) {
                throw corrupt("tombstone payload", 0, payload);
            }
            if (flags == PageFormat.REFERENCE && payload != OverflowReference.BYTES) {
                throw corrupt("reference bytes", OverflowReference.BYTES, payload);
            }
        }

        /** Reads a varint at {@code next} that must end before {@code stop}, and moves past it. */
        private long varint(int stop) {
            long value = 0;
            for (int shift = 0; shift < 70; shift += 7) {
                if (next >= stop) {
                    throw corrupt("varint", "an end within the entry", "none");
                }
                byte b = array[next++];
                value |= (long) (b & 0x7f) << shift;
                if (b >= 0) {
                    return value;
                }
            }
            throw corrupt("varint", "at most 10 bytes", "more");
        }

        /**
         * Checks that keys ascend strictly and stay below the high key; otherwise a search could give wrong answers.
         */
        private void checkOrder() {
            for (int i = 1; i < count; i++) {
                if (!ascends(i)) {
                    throw corrupt("key order", "ascending", "entry " + i);
                }
            }
            Bytes high = image.header().highKey();
            if (high != null && count > 0) {
                require(image.compareKey(high, count - 1) > 0, "last key", "below the high key", "not below");
            }
        }

        /** Whether a key is above the one before it. Both have the same prefix, so suffixes are compared. */
        private boolean ascends(int index) {
            int before = image.suffixAt(index - 1);
            int at = image.suffixAt(index);
            return Arrays.compareUnsigned(
                            array,
                            before,
                            before + image.suffixLength(index - 1),
                            array,
                            at,
                            at + image.suffixLength(index))
                    < 0;
        }
    }
}
