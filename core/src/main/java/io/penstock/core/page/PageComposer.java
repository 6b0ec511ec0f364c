package io.penstock.core.page;

import io.penstock.core.Bytes;

/** Writes the parts that all kinds of pages share, and seals a page with its checksum. For one page and one thread. */
final class PageComposer {
    final byte[] array;
    final int prefixAt;

    private final PageHeader header;

    PageComposer(PageHeader header, long bytes) {
        this.header = header;
        this.array = new byte[Math.toIntExact(bytes)];
        PageFormat.putI32(array, PageFormat.AT_MAGIC, PageFormat.MAGIC);
        PageFormat.putU16(array, PageFormat.AT_FORMAT, PageFormat.VERSION);
        array[PageFormat.AT_KIND] = header.kind().code();
        array[PageFormat.AT_LEVEL] = (byte) header.level();
        PageFormat.putI32(array, PageFormat.AT_LENGTH, array.length);
        PageFormat.putI64(array, PageFormat.AT_PAGE_VERSION, header.version());
        PageFormat.putI64(array, PageFormat.AT_WRITE_ID, header.writeId());
        PageFormat.putI64(array, PageFormat.AT_TREE, header.id().tree().value());
        PageFormat.putI64(array, PageFormat.AT_NUMBER, header.id().number());
        PageFormat.putI64(array, PageFormat.AT_RIGHT, header.right());
        PageFormat.putI64(array, PageFormat.AT_ORIGIN_PAGE, header.origin().page());
        PageFormat.putI64(array, PageFormat.AT_ORIGIN_VERSION, header.origin().version());
        PageFormat.putI64(array, PageFormat.AT_CHECKPOINT, header.checkpointMillis());
        Bytes high = header.highKey();
        int next = PageFormat.FIXED_BYTES;
        PageFormat.putI32(array, PageFormat.AT_HIGH_KEY_LENGTH, high == null ? PageFormat.NO_HIGH_KEY : high.length());
        if (high != null) {
            high.copyTo(array, next);
            next += high.length();
        }
        PageFormat.putI32(
                array, PageFormat.AT_EXTENSION_LENGTH, header.extension().length());
        header.extension().copyTo(array, next);
        this.prefixAt = next + header.extension().length();
    }

    void setBody(int count, int prefixLength, int slotWidth) {
        PageFormat.putI32(array, PageFormat.AT_COUNT, count);
        PageFormat.putI32(array, PageFormat.AT_PREFIX_LENGTH, prefixLength);
        array[PageFormat.AT_SLOT_WIDTH] = (byte) slotWidth;
    }

    void setStamps(long baseTime, int clients) {
        PageFormat.putI64(array, PageFormat.AT_BASE_TIME, baseTime);
        PageFormat.putI32(array, PageFormat.AT_CLIENT_COUNT, clients);
    }

    PageImage seal(EntryIndex index) {
        PageFormat.putI32(array, PageFormat.AT_CRC, PageFormat.checksum(array, 0, array.length));
        // Read back from the page: checksums of blocks may have been filled in.
        Bytes extension = Bytes.wrap(
                array,
                prefixAt - header.extension().length(),
                header.extension().length());
        return new PageImage(Bytes.wrap(array), extension.isEmpty() ? header : header.withExtension(extension), index);
    }
}
