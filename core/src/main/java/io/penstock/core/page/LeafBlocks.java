package io.penstock.core.page;

import io.penstock.core.Bytes;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of a large leaf: runs of entries that can be fetched and checked without the rest of the page. The page's
 * extension describes them in fields {@code u8 tag | u8 length | value}:
 *
 * <pre>
 * tag 2, once      write id 8 | crc32c of the page before its slots 4
 * tag 3, a block   first entry 4 | offset in the heap 4 | crc32c of its slots and heap 4 | lower bound less the prefix
 * </pre>
 *
 * The write id ties the blocks to one write: a writer that does not know the fields copies them although they no longer
 * fit. Pure.
 */
final class LeafBlocks {
    static final int TAG_SEAL = 2;
    static final int TAG_BLOCK = 3;

    /** A block ends once it has this many bytes of heap. */
    static final int BLOCK_BYTES = 64 << 10;

    /** The least heap, in bytes, of a leaf with blocks: leaves with a smaller one are read whole. */
    static final int HEAP_BYTES_MIN = 4 * BLOCK_BYTES;

    static final int FIELD_HEAD_BYTES = 2;
    static final int SEAL_BYTES = Long.BYTES + Integer.BYTES;
    static final int BLOCK_FIXED_BYTES = 3 * Integer.BYTES;
    private static final int VALUE_BYTES_MAX = 255;

    private LeafBlocks() {}

    /** A planned block: its first entry, and the offset of its first byte in the heap. */
    record Start(int entry, int heapOffset) {}

    /** The extension without its blocks. Bytes that are not a list of fields are kept. */
    static Bytes without(Bytes extension) {
        ByteArrayOutputStream kept = new ByteArrayOutputStream(0);
        for (int at = 0; at < extension.length(); ) {
            int end = fieldEnd(extension, at);
            if (end < 0) {
                return extension;
            }
            int tag = extension.at(at);
            if (tag != TAG_SEAL && tag != TAG_BLOCK) {
                kept.write(extension.array(), extension.offset() + at, end - at);
            }
            at = end;
        }
        return kept.size() == extension.length() ? extension : Bytes.wrap(kept.toByteArray());
    }

    /** The end of the field at {@code at}; negative when there is no valid field. */
    static int fieldEnd(Bytes extension, int at) {
        if (extension.length() - at < FIELD_HEAD_BYTES) {
            return -1;
        }
        int end = at + FIELD_HEAD_BYTES + (extension.at(at + 1) & 0xff);
        return end <= extension.length() ? end : -1;
    }

    /**
     * The header of a leaf with these blocks, checksums still to come. It has no blocks if a lower bound is too long
     * for its field, or if there are no starts.
     *
     * @param bounds the lower bound of each block, without the prefix
     */
    static PageHeader plan(PageHeader header, List<Start> starts, List<Bytes> bounds) {
        Bytes others = without(header.extension());
        boolean none = starts.isEmpty()
                || bounds.stream().anyMatch(bound -> bound.length() > VALUE_BYTES_MAX - BLOCK_FIXED_BYTES);
        if (none) {
            return others.length() == header.extension().length() ? header : header.withExtension(others);
        }
        ByteArrayOutputStream fields = new ByteArrayOutputStream();
        fields.writeBytes(others.toArray());
        field(fields, TAG_SEAL, new byte[SEAL_BYTES]);
        for (int i = 0; i < starts.size(); i++) {
            byte[] value = new byte[BLOCK_FIXED_BYTES + bounds.get(i).length()];
            PageFormat.putI32(value, 0, starts.get(i).entry);
            PageFormat.putI32(value, Integer.BYTES, starts.get(i).heapOffset);
            bounds.get(i).copyTo(value, BLOCK_FIXED_BYTES);
            field(fields, TAG_BLOCK, value);
        }
        return header.withExtension(Bytes.wrap(fields.toByteArray()));
    }

    private static void field(ByteArrayOutputStream out, int tag, byte[] value) {
        out.write(tag);
        out.write(value.length);
        out.writeBytes(value);
    }

    /** Fills in the checksums of the blocks, in a page that is complete except for its own checksum. */
    static void seal(byte[] page, PageHeader header) {
        int extensionAt = PageFormat.FIXED_BYTES
                + (header.highKey() == null ? 0 : header.highKey().length());
        Parsed parsed = parse(Bytes.wrap(page, extensionAt, header.extension().length()));
        if (parsed == null) {
            return;
        }
        Geometry geometry = Geometry.of(page, 0);
        for (int i = 0; i < parsed.blocks.size(); i++) {
            Block block = parsed.blocks.get(i);
            int entryEnd = i + 1 < parsed.blocks.size() ? parsed.blocks.get(i + 1).entry : geometry.count;
            int heapEnd =
                    i + 1 < parsed.blocks.size() ? parsed.blocks.get(i + 1).heapOffset : page.length - geometry.heapAt;
            CRC32C crc = new CRC32C();
            crc.update(page, geometry.slotAt(block.entry), (entryEnd - block.entry) * geometry.width);
            crc.update(page, geometry.heapAt + block.heapOffset, heapEnd - block.heapOffset);
            PageFormat.putI32(page, extensionAt + block.crcAt, (int) crc.getValue());
        }
        int sealAt = extensionAt + parsed.sealAt;
        PageFormat.putI64(page, sealAt, header.writeId());
        PageFormat.putI32(page, sealAt + Long.BYTES, headChecksum(page, 0, sealAt + Long.BYTES, geometry.slotsAt));
    }

    /** The checksum of the page before its slots, without the two checksums stored there. */
    static int headChecksum(byte[] page, int at, int ownAt, int end) {
        CRC32C crc = new CRC32C();
        crc.update(page, at, PageFormat.AT_CRC);
        crc.update(page, at + PageFormat.AT_PAGE_VERSION, ownAt - at - PageFormat.AT_PAGE_VERSION);
        crc.update(page, ownAt + Integer.BYTES, end - ownAt - Integer.BYTES);
        return (int) crc.getValue();
    }

    /** A block as the extension describes it; {@code crcAt} is the offset of its checksum in the extension. */
    record Block(int entry, int heapOffset, int crc, Bytes bound, int crcAt) {}

    /** All blocks; {@code sealAt} is the offset of the seal's value in the extension. */
    record Parsed(List<Block> blocks, int sealAt) {}

    /** The blocks of an extension; null when there are none, or their description is damaged. */
    static @Nullable Parsed parse(Bytes extension) {
        List<Block> blocks = new ArrayList<>();
        int sealAt = -1;
        for (int at = 0; at < extension.length(); ) {
            int end = fieldEnd(extension, at);
            int valueAt = at + FIELD_HEAD_BYTES;
            int tag = extension.at(at);
            if (end < 0 || tag == TAG_SEAL && end - valueAt != SEAL_BYTES) {
                return null;
            }
            if (tag == TAG_SEAL) {
                sealAt = valueAt;
            } else if (tag == TAG_BLOCK) {
                if (end - valueAt < BLOCK_FIXED_BYTES) {
                    return null;
                }
                blocks.add(block(extension, valueAt, end));
            }
            at = end;
        }
        return sealAt < 0 || blocks.isEmpty() ? null : new Parsed(blocks, sealAt);
    }

    private static Block block(Bytes extension, int valueAt, int end) {
        byte[] array = extension.array();
        int at = extension.offset() + valueAt;
        int crcAt = 2 * Integer.BYTES;
        return new Block(
                PageFormat.i32(array, at),
                PageFormat.i32(array, at + Integer.BYTES),
                PageFormat.i32(array, at + crcAt),
                extension.slice(valueAt + BLOCK_FIXED_BYTES, end),
                valueAt + crcAt);
    }

    /** The offsets of the parts of a page, counted from its first byte, as the fixed header gives them. */
    record Geometry(int count, int width, int extensionAt, int prefixAt, int prefixLength, int slotsAt, int heapAt) {
        static Geometry of(byte[] page, int at) {
            int high = PageFormat.i32(page, at + PageFormat.AT_HIGH_KEY_LENGTH);
            int extensionAt = PageFormat.FIXED_BYTES + (high == PageFormat.NO_HIGH_KEY ? 0 : high);
            int prefixAt = extensionAt + PageFormat.i32(page, at + PageFormat.AT_EXTENSION_LENGTH);
            int prefix = PageFormat.i32(page, at + PageFormat.AT_PREFIX_LENGTH);
            int slotsAt = prefixAt + prefix + PageFormat.i32(page, at + PageFormat.AT_CLIENT_COUNT) * Long.BYTES;
            int count = PageFormat.i32(page, at + PageFormat.AT_COUNT);
            int width = page[at + PageFormat.AT_SLOT_WIDTH];
            return new Geometry(count, width, extensionAt, prefixAt, prefix, slotsAt, slotsAt + count * width);
        }

        int slotAt(int entry) {
            return slotsAt + entry * width;
        }
    }
}
