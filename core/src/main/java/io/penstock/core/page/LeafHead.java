package io.penstock.core.page;

import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.PageId;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The front of a large leaf, up to its slots, with the means to fetch, check and read parts of the rest. A damaged or
 * outdated part makes a result empty, never wrong: the caller then reads the whole page, whose own checks decide.
 * Immutable, safe for use by many threads.
 */
public final class LeafHead {
    /** The largest head: thousands of blocks, or a hundred thousand clients. */
    private static final int HEAD_BYTES_MAX = 1 << 20;

    private final Bytes bytes;
    private final PageId id;
    private final LeafBlocks.Geometry geometry;
    private final List<LeafBlocks.Block> blocks;
    private final int pageBytes;
    private final @Nullable Bytes highKey;
    private final Bytes prefix;

    private LeafHead(Bytes bytes, PageId id, LeafBlocks.Geometry geometry, List<LeafBlocks.Block> blocks) {
        this.bytes = bytes;
        this.id = id;
        this.geometry = geometry;
        this.blocks = blocks;
        this.pageBytes = PageFormat.i32(bytes.array(), bytes.offset() + PageFormat.AT_LENGTH);
        this.highKey = has(bytes) ? bytes.slice(PageFormat.FIXED_BYTES, geometry.extensionAt()) : null;
        this.prefix = bytes.slice(geometry.prefixAt(), geometry.prefixAt() + geometry.prefixLength());
    }

    private static boolean has(Bytes bytes) {
        return PageFormat.i32(bytes.array(), bytes.offset() + PageFormat.AT_HIGH_KEY_LENGTH) != PageFormat.NO_HIGH_KEY;
    }

    /** The length of the page, from its first bytes; 0 when they do not begin a page. */
    public static int pageBytes(Bytes front) {
        boolean page = front.length() >= PageFormat.FIXED_BYTES
                && PageFormat.i32(front.array(), front.offset()) == PageFormat.MAGIC;
        return page ? PageFormat.i32(front.array(), front.offset() + PageFormat.AT_LENGTH) : 0;
    }

    /** The length of the head, from the page's first bytes; 0 when they do not begin a sound leaf. */
    public static int headBytes(Bytes front) {
        int pageBytes = pageBytes(front);
        if (pageBytes <= 0 || front.at(PageFormat.AT_KIND) != PageKind.LEAF.code()) {
            return 0;
        }
        long length = PageFormat.FIXED_BYTES;
        for (int at : new int[] {
            PageFormat.AT_HIGH_KEY_LENGTH,
            PageFormat.AT_EXTENSION_LENGTH,
            PageFormat.AT_PREFIX_LENGTH,
            PageFormat.AT_CLIENT_COUNT
        }) {
            long part = PageFormat.i32(front.array(), front.offset() + at);
            boolean none = at == PageFormat.AT_HIGH_KEY_LENGTH && part == PageFormat.NO_HIGH_KEY;
            if (part < 0 && !none || part > HEAD_BYTES_MAX) {
                return 0;
            }
            length += none ? 0 : at == PageFormat.AT_CLIENT_COUNT ? part * Long.BYTES : part;
        }
        return length <= Math.min(pageBytes, HEAD_BYTES_MAX) ? (int) length : 0;
    }

    /** The head of the page; empty when it has no blocks, or differs from what was written. */
    public static Optional<LeafHead> of(Bytes front, PageId expected) {
        int length = headBytes(front);
        if (length == 0 || length > front.length()) {
            return Optional.empty();
        }
        Bytes head = front.slice(0, length);
        byte[] array = head.array();
        int at = head.offset();
        LeafBlocks.Geometry geometry = LeafBlocks.Geometry.of(array, at);
        LeafBlocks.Parsed parsed = LeafBlocks.parse(head.slice(geometry.extensionAt(), geometry.prefixAt()));
        int format = PageFormat.u16(array, at + PageFormat.AT_FORMAT);
        if (parsed == null || format != PageFormat.VERSION) {
            return Optional.empty();
        }
        int sealAt = at + geometry.extensionAt() + parsed.sealAt();
        boolean ours = PageFormat.i64(array, sealAt) == PageFormat.i64(array, at + PageFormat.AT_WRITE_ID)
                && PageFormat.i64(array, at + PageFormat.AT_TREE)
                        == expected.tree().value()
                && PageFormat.i64(array, at + PageFormat.AT_NUMBER) == expected.number();
        int ownAt = sealAt + Long.BYTES;
        if (!ours || PageFormat.i32(array, ownAt) != LeafBlocks.headChecksum(array, at, ownAt, at + length)) {
            return Optional.empty();
        }
        LeafHead found = new LeafHead(head, expected, geometry, parsed.blocks());
        return found.isSound() ? Optional.of(found) : Optional.empty();
    }

    /** Whether the blocks follow one another. The head's checksum held, so only a writer's error makes this false. */
    private boolean isSound() {
        boolean fits = geometry.width() == Integer.BYTES || geometry.width() == Short.BYTES;
        fits &= geometry.count() > 0;
        fits &= geometry.slotsAt() + (long) geometry.count() * geometry.width() < pageBytes;
        fits &= blocks.getFirst().entry() == 0 && blocks.getFirst().heapOffset() == 0;
        for (int i = 0; i < blocks.size() && fits; i++) {
            fits = blocks.get(i).entry() < entryEnd(i) && blocks.get(i).heapOffset() < heapEnd(i);
            fits &= entryEnd(i) <= geometry.count() && heapEnd(i) <= pageBytes - geometry.heapAt();
        }
        return fits;
    }

    public PageId id() {
        return id;
    }

    public int length() {
        return bytes.length();
    }

    public int pageBytes() {
        return pageBytes;
    }

    public long version() {
        return PageFormat.i64(bytes.array(), bytes.offset() + PageFormat.AT_PAGE_VERSION);
    }

    /** Returns the images that this leaf declares outdated; see {@link PageHeader#outdated}. */
    public List<Origin> outdated() {
        byte[] array = bytes.array();
        Origin origin = new Origin(
                PageFormat.i64(array, bytes.offset() + PageFormat.AT_ORIGIN_PAGE),
                PageFormat.i64(array, bytes.offset() + PageFormat.AT_ORIGIN_VERSION));
        return LeafMerge.outdated(origin, bytes.slice(geometry.extensionAt(), geometry.prefixAt()));
    }

    public int blocks() {
        return blocks.size();
    }

    private int entryEnd(int block) {
        return block + 1 < blocks.size() ? blocks.get(block + 1).entry() : geometry.count();
    }

    private int heapEnd(int block) {
        return block + 1 < blocks.size() ? blocks.get(block + 1).heapOffset() : pageBytes - geometry.heapAt();
    }

    /** The block that covers {@code key}; -1 when the key is not below the page's high key. */
    public int blockFor(Bytes key) {
        if (highKey != null && key.compareTo(highKey) >= 0) {
            return -1;
        }
        return lastBelow(key, true);
    }

    /** The block with the largest keys below {@code bound} (null: the last block); -1 when they are in another page. */
    public int blockBefore(@Nullable Bytes bound) {
        if (highKey != null && (bound == null || bound.compareTo(highKey) > 0)) {
            return -1;
        }
        return bound == null ? blocks.size() - 1 : lastBelow(bound, false);
    }

    private int lastBelow(Bytes key, boolean orAt) {
        int low = 0;
        int high = blocks.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            int order = low(middle).compareTo(key);
            if (order < 0 || orAt && order == 0) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    /** The lower bound of a block other than the first, whose bound is the page's. */
    public Bytes low(int block) {
        return prefix.concat(blocks.get(block).bound());
    }

    /** A range of the object. */
    public record Range(long offset, int length) {}

    /** The slots of the blocks from {@code from} (inclusive) to {@code to} (exclusive). */
    public Range slots(int from, int to) {
        int first = blocks.get(from).entry();
        return new Range(geometry.slotAt(first), (entryEnd(to - 1) - first) * geometry.width());
    }

    /** The heap of these blocks. */
    public Range heap(int from, int to) {
        int first = blocks.get(from).heapOffset();
        return new Range((long) geometry.heapAt() + first, heapEnd(to - 1) - first);
    }

    /**
     * Returns these blocks as a page of their own, with the header and the stamps of the leaf. If the last block is not
     * among them, the page's high key is the lower bound of the next block, and its right sibling the leaf itself.
     */
    public Optional<PageImage> excerpt(int from, int to, Bytes slots, Bytes heap, String objectKey) {
        if (slots.length() != slots(from, to).length()
                || heap.length() != heap(from, to).length()) {
            return Optional.empty();
        }
        for (int block = from; block < to; block++) {
            if (checksum(from, block, slots, heap) != blocks.get(block).crc()) {
                return Optional.empty();
            }
        }
        try {
            return Optional.of(PageImage.decode(compose(from, to, slots, heap), id, objectKey));
        } catch (CorruptDataException unsound) {
            return Optional.empty();
        }
    }

    private int checksum(int from, int block, Bytes slots, Bytes heap) {
        int firstEntry = blocks.get(from).entry();
        int firstByte = blocks.get(from).heapOffset();
        CRC32C crc = new CRC32C();
        crc.update(
                slots.array(),
                slots.offset() + (blocks.get(block).entry() - firstEntry) * geometry.width(),
                (entryEnd(block) - blocks.get(block).entry()) * geometry.width());
        crc.update(
                heap.array(),
                heap.offset() + blocks.get(block).heapOffset() - firstByte,
                heapEnd(block) - blocks.get(block).heapOffset());
        return (int) crc.getValue();
    }

    private Bytes compose(int from, int to, Bytes slots, Bytes heap) {
        boolean toTheEnd = to == blocks.size();
        Bytes high = toTheEnd ? highKey : low(to);
        int highLength = high == null ? 0 : high.length();
        int count = entryEnd(to - 1) - blocks.get(from).entry();
        int width = PageFormat.slotWidth(heap.length());
        int clientsEnd = geometry.slotsAt() - geometry.prefixAt();
        int slotsAt = PageFormat.FIXED_BYTES + highLength + clientsEnd;
        byte[] page = new byte[slotsAt + count * width + heap.length()];
        bytes.slice(0, PageFormat.FIXED_BYTES).copyTo(page, 0);
        if (high != null) {
            high.copyTo(page, PageFormat.FIXED_BYTES);
        }
        bytes.slice(geometry.prefixAt(), geometry.slotsAt()).copyTo(page, PageFormat.FIXED_BYTES + highLength);
        int base = blocks.get(from).heapOffset();
        for (int i = 0; i < count; i++) {
            int slot = PageFormat.slot(slots.array(), slots.offset(), geometry.width(), i);
            PageFormat.putSlot(page, slotsAt, width, i, slot - base);
        }
        heap.copyTo(page, slotsAt + count * width);
        PageFormat.putI32(page, PageFormat.AT_LENGTH, page.length);
        PageFormat.putI32(page, PageFormat.AT_COUNT, count);
        PageFormat.putI32(page, PageFormat.AT_HIGH_KEY_LENGTH, high == null ? PageFormat.NO_HIGH_KEY : highLength);
        PageFormat.putI32(page, PageFormat.AT_EXTENSION_LENGTH, 0);
        page[PageFormat.AT_SLOT_WIDTH] = (byte) width;
        if (!toTheEnd) {
            PageFormat.putI64(page, PageFormat.AT_RIGHT, id.number());
        }
        PageFormat.putI32(page, PageFormat.AT_CRC, PageFormat.checksum(page, 0, page.length));
        return Bytes.wrap(page);
    }
}
