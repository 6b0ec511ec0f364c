package io.penstock.core.page;

import static io.penstock.core.page.PageFormat.i64;

import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.PageId;
import io.penstock.core.Stamp;
import org.jspecify.annotations.Nullable;

/**
 * One version of one page: the encoded bytes, read in place. Every accessor works on the bytes, so that a search or a
 * point read creates no object per entry; slices share the page's array.
 *
 * <p>Immutable, safe for use by many threads. {@link #decode} checks the whole page, so no accessor fails on its
 * images, except for errors of the program: an index out of range ({@link IndexOutOfBoundsException}) or a call for
 * another kind of page ({@link IllegalStateException}).
 */
public final class PageImage {
    private final Bytes bytes;
    final byte[] array; // that of the bytes: one step nearer, for loops over entries
    private final PageHeader header;
    private final PageKind kind;
    private final int level;
    private final int count;
    private final int prefixAt;
    private final int prefixLength;
    private final int clientsAt;
    private final int clientCount;
    private final int slotsAt;
    private final int slotWidth;
    private final int heapAt;
    private final int end;
    private final long baseTime;
    private final EntryIndex index;
    private final int[] heads; // those of the index: one step nearer, for searches

    /**
     * An image of bytes that are a valid page.
     *
     * @param index of its entries
     */
    PageImage(Bytes bytes, PageHeader header, EntryIndex index) {
        this.bytes = bytes;
        this.array = bytes.array();
        this.header = header;
        this.kind = header.kind();
        this.level = header.level();
        this.index = index;
        this.heads = index.heads;
        int at = bytes.offset();
        count = PageFormat.i32(array, at + PageFormat.AT_COUNT);
        prefixLength = PageFormat.i32(array, at + PageFormat.AT_PREFIX_LENGTH);
        clientCount = PageFormat.i32(array, at + PageFormat.AT_CLIENT_COUNT);
        slotWidth = array[at + PageFormat.AT_SLOT_WIDTH];
        baseTime = i64(array, at + PageFormat.AT_BASE_TIME);
        prefixAt = at + header.bytes();
        clientsAt = prefixAt + prefixLength;
        slotsAt = clientsAt + clientCount * PageFormat.CLIENT_BYTES;
        heapAt = slotsAt + count * slotWidth;
        end = at + bytes.length();
    }

    /**
     * Checks stored bytes and makes them a page.
     *
     * @param expected the page it must be
     * @param objectKey the source of the bytes, for the message
     * @throws io.penstock.core.CorruptDataException when anything is wrong, and nothing else, whatever the bytes are
     */
    public static PageImage decode(Bytes stored, PageId expected, String objectKey) {
        return new PageDecoder(stored, expected, objectKey).decode();
    }

    public PageHeader header() {
        return header;
    }

    public PageId id() {
        return header.id();
    }

    /** The page version. */
    public long version() {
        return header.version();
    }

    public int level() {
        return level;
    }

    public boolean isLeaf() {
        return kind.holdsRecords();
    }

    /** Whether the page is retired: no writer may change it any more. */
    public boolean isRetired() {
        return kind == PageKind.RETIRED;
    }

    /** The number of entries; 0 for a ledger. */
    public int count() {
        return count;
    }

    /** The whole encoded page. */
    public Bytes bytes() {
        return bytes;
    }

    /** The heap bytes of the page, without objects of a fixed size. */
    public long heapBytes() {
        return bytes.length() + index.heapBytes();
    }

    /** The opaque body of a ledger page. */
    public Bytes body() {
        requireKind(PageKind.LEDGER);
        return Bytes.wrap(array, heapAt, end - heapAt);
    }

    /** The index of {@code key}, or {@code -(insertion point) - 1} when the page does not have it. */
    public int find(Bytes key) {
        int versusPrefix = comparePrefix(key);
        if (versusPrefix != 0) {
            return versusPrefix < 0 ? -1 : -count - 1;
        }
        int head = PageFormat.head(key.array(), key.offset() + prefixLength, key.length() - prefixLength);
        int guess = index.guess(head);
        int low = index.low(guess);
        int high = index.high(guess);
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = Integer.compare(head, heads[middle]);
            order = order == 0 ? compareTail(key, middle) : order;
            if (order == 0) {
                return middle;
            }
            if (order < 0) {
                high = middle - 1;
            } else {
                low = middle + 1;
            }
        }
        return -low - 1;
    }

    /** Whether {@code key} is below the high key, and so not in a page further to the right. */
    public boolean isBelowHighKey(Bytes key) {
        Bytes high = header.highKey();
        return high == null || key.compareTo(high) < 0;
    }

    /**
     * Compares a key with the prefix: negative when it sorts before every key with the prefix, 0 when it starts with
     * it, otherwise positive.
     */
    private int comparePrefix(Bytes key) {
        if (prefixLength == 0 || count == 0) {
            return 0;
        }
        int shared = Math.min(prefixLength, key.length());
        int order = java.util.Arrays.compareUnsigned(
                key.array(), key.offset(), key.offset() + shared, array, prefixAt, prefixAt + shared);
        return order == 0 && key.length() < prefixLength ? -1 : order;
    }

    /** The index of the first entry whose key is at least {@code key}. */
    public int firstAtLeast(Bytes key) {
        int found = find(key);
        return found >= 0 ? found : -found - 1;
    }

    /** The key of an entry, in an array of its own. */
    public Bytes key(int index) {
        checkIndex(index);
        return Bytes.wrap(key(suffixAt(index), suffixLength(index)));
    }

    /** The key whose suffix these bytes of the page are. */
    byte[] key(int suffixAt, int suffixLength) {
        byte[] key = new byte[prefixLength + suffixLength];
        PageFormat.copy(array, prefixAt, key, 0, prefixLength);
        PageFormat.copy(array, suffixAt, key, prefixLength, suffixLength);
        return key;
    }

    /** Whether every entry is a record that stays, with its payload in the page. */
    public boolean isPlain() {
        return index.isPlain;
    }

    /** Returns this page, if it holds records. */
    PageImage requireLeaf() {
        if (!isLeaf()) {
            requireKind(PageKind.LEAF);
        }
        return this;
    }

    /** Whether entries store whole keys, without a common prefix. */
    boolean hasWholeKeys() {
        return prefixLength == 0;
    }

    int keyLength(int index) {
        return prefixLength + suffixLength(index);
    }

    /** Copies the key from byte {@code from} on, and returns the offset after it. */
    int copyKey(int index, int from, byte[] target, int at) {
        int next = at;
        if (from < prefixLength) {
            System.arraycopy(array, prefixAt + from, target, next, prefixLength - from);
            next += prefixLength - from;
        }
        int skipped = Math.max(0, from - prefixLength);
        int length = suffixLength(index) - skipped;
        System.arraycopy(array, suffixAt(index) + skipped, target, next, length);
        return next + length;
    }

    /** Compares {@code key} with the key of an entry. */
    public int compareKey(Bytes key, int index) {
        checkIndex(index);
        int order = comparePrefix(key);
        return order != 0 ? order : compareTail(key, index);
    }

    private int compareTail(Bytes key, int index) {
        return key.compareTailTo(prefixLength, array, suffixAt(index), suffixLength(index));
    }

    /** The payload of a leaf entry, or the reference to it, as a slice of the page; empty for a tombstone. */
    public Bytes payload(int index) {
        checkLeaf(index);
        int at = tailAt(index);
        at = (flags(index) & PageFormat.EXPIRES) == 0 ? at : PageFormat.behindVarint(array, at);
        return Bytes.wrapTrusted(array, at, entryEnd(index) - at);
    }

    /** The expiry of a leaf entry, {@link Expiry#NEVER} for most and for a tombstone. */
    public long expiryMillis(int index) {
        checkLeaf(index);
        return (flags(index) & PageFormat.EXPIRES) == 0 ? Expiry.NEVER : PageFormat.varint(array, tailAt(index));
    }

    public boolean isTombstone(int index) {
        checkLeaf(index);
        return array[entryAt(index)] == PageFormat.TOMBSTONE;
    }

    /** Whether the payload is a reference to an overflow object. */
    public boolean isReference(int index) {
        checkLeaf(index);
        return (flags(index) & PageFormat.REFERENCE) != 0;
    }

    /** The stamp of a leaf entry. */
    public Stamp stamp(int index) {
        checkLeaf(index);
        return new Stamp(time(index), new ClientId(client(clientIndex(index))));
    }

    /** Whether {@code stamp} is newer than that of the leaf entry. Creates no object. */
    public boolean isNewer(Stamp stamp, int index) {
        checkLeaf(index);
        int byTime = Long.compareUnsigned(stamp.time(), time(index));
        return byTime > 0
                || (byTime == 0 && Long.compareUnsigned(stamp.client().value(), client(clientIndex(index))) > 0);
    }

    /** The time of a leaf entry's stamp, as in {@link Stamp#time()}. */
    public long time(int index) {
        return baseTime + PageFormat.varint(array, timeAt(index));
    }

    /** The newest time of all entries of a leaf, as in {@link Stamp#time()}; the lowest number for an empty leaf. */
    long newestTime() {
        return index.newestTime;
    }

    /** Whether a page with this prefix and base time could hold these entries as they are. */
    boolean isShapedAs(int prefix, long base) {
        return prefixLength == prefix && baseTime == base;
    }

    /** Reads the parts of a leaf entry that decide its size. */
    void readInto(LeafBody.Entry entry, int index) {
        int at = entryAt(index) + 1;
        int suffix = (int) PageFormat.varint(array, at);
        at = PageFormat.behindVarint(array, at) + suffix;
        entry.keyLength = prefixLength + suffix;
        long eight = at + Long.BYTES <= end ? i64(array, at) : -1;
        int bytes = PageFormat.varintBytesIn(eight);
        boolean isShort = bytes <= Long.BYTES;
        entry.time = baseTime + (isShort ? PageFormat.varintOf(eight, bytes) : PageFormat.varint(array, at));
        at = isShort ? at + bytes : PageFormat.behindVarint(array, at);
        entry.client = (int) PageFormat.varint(array, at);
        entry.payloadLength = entryEnd(index) - PageFormat.behindVarint(array, at);
    }

    /** Copies a whole entry, and returns the offset after it. */
    int copyEntry(int index, byte[] target, int at) {
        System.arraycopy(array, entryAt(index), target, at, entryEnd(index) - entryAt(index));
        return at + entryEnd(index) - entryAt(index);
    }

    int clientIndex(int index) {
        return (int) PageFormat.varint(array, PageFormat.behindVarint(array, timeAt(index)));
    }

    int clientCount() {
        return clientCount;
    }

    long client(int dictionaryIndex) {
        return i64(array, clientsAt + dictionaryIndex * PageFormat.CLIENT_BYTES);
    }

    /** The offset of the tail of an entry: its expiry, if there is one, and its payload. */
    int tailAt(int index) {
        return PageFormat.behindVarint(array, PageFormat.behindVarint(array, timeAt(index)));
    }

    int tailLength(int index) {
        return entryEnd(index) - tailAt(index);
    }

    byte flags(int index) {
        return array[entryAt(index)];
    }

    /** The number of the child page of an inner entry. */
    public long child(int index) {
        requireKind(PageKind.INNER);
        checkIndex(index);
        return i64(array, entryAt(index));
    }

    /** The index of the inner entry whose child covers {@code key}: the last one whose separator is not above it. */
    public int childFor(Bytes key) {
        requireKind(PageKind.INNER);
        int found = find(key);
        return Math.max(0, found >= 0 ? found : -found - 2);
    }

    /**
     * The index of the inner entry whose child covers the largest keys below {@code bound} (null: the last entry): the
     * last one whose separator is below it.
     */
    public int childBefore(@Nullable Bytes bound) {
        requireKind(PageKind.INNER);
        return bound == null ? count - 1 : Math.max(0, firstAtLeast(bound) - 1);
    }

    /** The offset of an entry in the array of {@link #bytes}. */
    int entryAt(int index) {
        return heapAt + PageFormat.slot(array, slotsAt, slotWidth, index);
    }

    int entryEnd(int index) {
        return index + 1 < count ? entryAt(index + 1) : end;
    }

    /** The offset of a key's suffix in the array of {@link #bytes}. */
    int suffixAt(int index) {
        int at = entryAt(index);
        return isLeaf() ? PageFormat.behindVarint(array, at + 1) : at + PageFormat.CHILD_BYTES;
    }

    int suffixLength(int index) {
        int at = entryAt(index);
        return isLeaf() ? (int) PageFormat.varint(array, at + 1) : entryEnd(index) - at - PageFormat.CHILD_BYTES;
    }

    private int timeAt(int index) {
        int at = entryAt(index) + 1;
        return PageFormat.behindVarint(array, at) + (int) PageFormat.varint(array, at);
    }

    private void checkIndex(int index) {
        java.util.Objects.checkIndex(index, count);
    }

    private void checkLeaf(int index) {
        requireLeaf();
        checkIndex(index);
    }

    private void requireKind(PageKind wanted) {
        if (kind != wanted) {
            throw new IllegalStateException("page " + header.id() + " is " + kind + ", not " + wanted);
        }
    }

    /** The page's name and measures, without a byte of its keys or payloads. */
    @Override
    public String toString() {
        return kind + " " + id() + " version=" + version() + " count=" + count + " bytes=" + bytes.length();
    }
}
