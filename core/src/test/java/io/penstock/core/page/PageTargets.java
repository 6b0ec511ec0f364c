package io.penstock.core.page;

import io.penstock.core.Bytes;
import io.penstock.core.Compression;
import io.penstock.core.PageId;
import io.penstock.testing.FuzzTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Pages: whole ones, and the parts that are read of large leaves. */
public final class PageTargets {
    private static final int LARGE_RECORDS = 300;

    private static final int SAMPLES = 24;

    private PageTargets() {}

    public static List<FuzzTarget> all() {
        List<byte[]> pages = new ArrayList<>(joined());
        for (int seed = 0; seed < SAMPLES; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            PageImage page = SamplePages.any(random);
            pages.add(page.bytes().toArray());
            if (page.isLeaf()) {
                pages.add(SamplePages.wasteful(page, random).bytes().toArray());
            }
        }
        return List.of(page("page", SamplePages.ID, pages), compressed(), leafHead(), leafBlocks());
    }

    /** A retired leaf, and the one that took over its keys. */
    private static List<byte[]> joined() {
        var records = SamplePages.records(new SplittableRandom(1), 20, 10);
        PageHeader leaf = SamplePages.header(PageKind.LEAF, 0).withIndexEpoch(300);
        PageHeader retired = leaf.retired(Bytes.utf8("low"));
        return List.of(
                SamplePages.leaf(retired, records).bytes().toArray(),
                SamplePages.leaf(leaf.takingOver(retired, 1_700_000_000_000L), records)
                        .bytes()
                        .toArray());
    }

    /** A decoder of that page, which uses all of it. */
    public static FuzzTarget page(String name, PageId id, List<byte[]> valid) {
        return FuzzTarget.of(name, valid, bytes -> use(PageImage.decode(Bytes.wrap(bytes), id, "pages/x")))
                .sealed(bytes -> seal(bytes, id));
    }

    /** Objects of pages, some of them compressed: what is allocated is at most the page that these may stand for. */
    private static FuzzTarget compressed() {
        List<byte[]> valid = new ArrayList<>();
        for (int records : new int[] {40, 60, 300}) {
            valid.add(StoredPage.encode(SamplePages.words(records, records), Compression.ZSTD)
                    .toArray());
        }
        return FuzzTarget.of("compressed-page", valid, bytes -> {
                    StoredPage.describe(Bytes.wrap(bytes));
                    use(StoredPage.decode(Bytes.wrap(bytes), SamplePages.ID, "pages/x"));
                })
                .sealed(PageTargets::sealCompressed)
                .allocating(2 * StoredPage.RATIO_MAX);
    }

    /** As {@link #seal}, of the outer header. */
    private static byte[] sealCompressed(byte[] bytes) {
        if (bytes.length >= StoredPage.HEAD_BYTES) {
            PageFormat.putI32(bytes, PageFormat.AT_MAGIC, StoredPage.MAGIC);
            PageFormat.putU16(bytes, PageFormat.AT_FORMAT, StoredPage.VERSION);
            SamplePages.seal(bytes);
        }
        return bytes;
    }

    /** Calls every accessor, and reads a leaf as scans do. */
    static void use(PageImage page) {
        page.header().indexEpoch();
        page.header().takeover();
        page.header().retiredLow();
        if (page.header().kind() == PageKind.LEDGER) {
            page.body();
            return;
        }
        for (int i = 0; i < page.count(); i++) {
            Bytes key = page.key(i);
            if (page.find(key) != i) {
                throw new AssertionError("entry " + i + " is not found");
            }
            if (page.isLeaf()) {
                page.payload(i);
                page.stamp(i);
                page.isTombstone(i);
                page.isReference(i);
            } else {
                page.child(i);
                page.childFor(key);
            }
        }
        if (page.isLeaf()) {
            scan(page);
        }
    }

    private static void scan(PageImage leaf) {
        LeafRun run = new LeafRun();
        int live = 0;
        for (int at = 0; at != leaf.count(); ) {
            at = run.fill(leaf, at, leaf.count());
            for (; run.next(); live++) {
                int found = leaf.find(run.key());
                if (found < 0 || !run.payload().equals(leaf.payload(found))) {
                    throw new AssertionError("a scan shows what is not in the page: " + run.key());
                }
            }
        }
        long expected = IntStream.range(0, leaf.count())
                .filter(i -> !leaf.isTombstone(i))
                .count();
        if (live != expected) {
            throw new AssertionError("a scan shows " + live + " of " + expected + " records");
        }
    }

    /** Makes the page's number, format, length and checksums fit, as far as these fields exist. */
    private static byte[] seal(byte[] bytes, PageId id) {
        if (bytes.length >= PageFormat.FIXED_BYTES) {
            PageFormat.putI64(bytes, PageFormat.AT_TREE, id.tree().value());
            PageFormat.putI64(bytes, PageFormat.AT_NUMBER, id.number());
            PageFormat.putI32(bytes, PageFormat.AT_MAGIC, PageFormat.MAGIC);
            SamplePages.seal(bytes);
        }
        return bytes;
    }

    /** A leaf of 300 KiB, which tells of blocks. */
    private static PageImage large() {
        LeafEntries.Builder builder = LeafEntries.builder(null);
        for (int i = 0; i < LARGE_RECORDS; i++) {
            Bytes key = Bytes.utf8("key/%08d".formatted(i));
            builder.put(key, Bytes.wrap(new byte[1 << 10]), SamplePages.stamp(1_000 + i, 0, i % 5));
        }
        PageHeader header =
                PageHeader.of(SamplePages.ID, PageKind.LEAF, 0, 1, 4711).withRight(77, Bytes.utf8("kez"));
        return builder.build().layout(header, 0, LARGE_RECORDS).encode();
    }

    /** A ranged read of the front of a page. No bytes are refused: at worst there is no head. */
    private static FuzzTarget leafHead() {
        byte[] front = large().bytes().slice(0, 1 << 10).toArray();
        return FuzzTarget.of("leaf-head", List.of(front), bytes -> {
                    Bytes read = Bytes.wrap(bytes);
                    LeafHead.pageBytes(read);
                    LeafHead.headBytes(read);
                    LeafHead.of(read, SamplePages.ID).ifPresent(PageTargets::use);
                })
                .sealed(PageTargets::sealHead);
    }

    private static void use(LeafHead head) {
        for (int block = 0; block < head.blocks(); block++) {
            Bytes low = head.low(block);
            head.blockFor(low);
            head.blockBefore(low);
            if (head.slots(block, block + 1).length() <= 0
                    || head.heap(block, block + 1).length() <= 0) {
                throw new AssertionError("block " + block + " is of no length");
            }
            if (head.heap(block, block + 1).offset()
                            + head.heap(block, block + 1).length()
                    > head.pageBytes()) {
                throw new AssertionError("block " + block + " is beyond the page");
            }
        }
        head.blockBefore(null);
    }

    /** The checksum of the head, where its seal is still found; and the write id that it is of. */
    private static byte[] sealHead(byte[] bytes) {
        Bytes front = Bytes.wrap(bytes);
        int length = LeafHead.headBytes(front);
        if (length == 0 || length > bytes.length) {
            return bytes;
        }
        LeafBlocks.Geometry geometry = LeafBlocks.Geometry.of(bytes, 0);
        LeafBlocks.Parsed parsed = LeafBlocks.parse(front.slice(geometry.extensionAt(), geometry.prefixAt()));
        if (parsed != null) {
            int sealAt = geometry.extensionAt() + parsed.sealAt();
            PageFormat.putI64(bytes, sealAt, PageFormat.i64(bytes, PageFormat.AT_WRITE_ID));
            int ownAt = sealAt + Long.BYTES;
            PageFormat.putI32(bytes, ownAt, LeafBlocks.headChecksum(bytes, 0, ownAt, length));
        }
        return bytes;
    }

    /** The slots and the heap of one block, which a head that is sound tells of; their checksum is that of the head. */
    private static FuzzTarget leafBlocks() {
        PageImage page = large();
        LeafHead head = LeafHead.of(page.bytes(), SamplePages.ID).orElseThrow();
        LeafHead.Range slots = head.slots(1, 2);
        LeafHead.Range heap = head.heap(1, 2);
        List<byte[]> valid = new ArrayList<>();
        valid.add(slice(page, slots).concat(slice(page, heap)).toArray());
        return FuzzTarget.of("leaf-blocks", valid, bytes -> {
            Bytes all = Bytes.wrap(bytes);
            int split = Math.min(slots.length(), bytes.length);
            Bytes slotBytes = all.slice(0, split);
            Bytes heapBytes = all.slice(split, bytes.length);
            head.excerpt(1, 2, slotBytes, heapBytes, "pages/x").ifPresent(PageTargets::use);
        });
    }

    private static Bytes slice(PageImage page, LeafHead.Range range) {
        return page.bytes().slice((int) range.offset(), (int) range.offset() + range.length());
    }
}
