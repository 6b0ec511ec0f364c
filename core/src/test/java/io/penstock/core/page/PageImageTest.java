package io.penstock.core.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.CorruptDataException;
import io.penstock.core.PageId;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.overflow.OverflowParts;
import io.penstock.core.overflow.OverflowReference;
import io.penstock.core.record.OverflowReferences;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PageImageTest {
    private static PageImage again(PageImage page) {
        return PageImage.decode(page.bytes(), page.id(), "pages/x");
    }

    @Test
    void aLeafReadsAsItWasWritten() {
        for (int seed = 0; seed < 200; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            TreeMap<Bytes, SamplePages.Value> records = SamplePages.records(random, random.nextInt(400), 300);
            PageImage page = again(SamplePages.leaf(SamplePages.header(PageKind.LEAF, 0), records));
            assertThat(page.count()).isEqualTo(records.size());
            List<Bytes> keys = new ArrayList<>(records.keySet());
            for (int i = 0; i < keys.size(); i++) {
                SamplePages.Value value = records.get(keys.get(i));
                assertThat(page.key(i)).isEqualTo(keys.get(i));
                assertThat(page.find(keys.get(i))).as("seed=" + seed).isEqualTo(i);
                assertThat(page.stamp(i)).isEqualTo(value.stamp());
                assertThat(page.isTombstone(i)).isEqualTo(value.payload() == null);
                assertThat(page.payload(i)).isEqualTo(value.payload() == null ? Bytes.EMPTY : value.payload());
            }
            for (int i = 0; i < 100; i++) {
                byte[] probe = new byte[random.nextInt(25)];
                random.nextBytes(probe);
                Bytes key = keys.isEmpty() || random.nextBoolean()
                        ? Bytes.wrap(probe)
                        : keys.get(random.nextInt(keys.size())).concat(Bytes.wrap(new byte[random.nextInt(2)]));
                assertThat(page.find(key)).as("seed=" + seed).isEqualTo(java.util.Collections.binarySearch(keys, key));
            }
        }
    }

    /**
     * Each page of a cold read is checked in full. That may allocate a few bytes an entry, but no texts for errors that
     * do not occur.
     */
    @Test
    void checkingAPageMakesNoObjectForAnEntry() {
        SplittableRandom random = new SplittableRandom(1);
        TreeMap<Bytes, SamplePages.Value> records = SamplePages.records(random, 1_000, 50);
        PageImage leaf = SamplePages.leaf(SamplePages.header(PageKind.LEAF, 0), records);
        List<InnerEntries.Entry> children = new ArrayList<>();
        records.keySet().forEach(key -> children.add(new InnerEntries.Entry(key, 2)));
        PageImage inner = InnerEntries.of(children)
                .layout(SamplePages.header(PageKind.INNER, 1), 0, children.size())
                .encode();
        for (PageImage page : List.of(leaf, inner)) {
            again(page);
            long before = allocated();
            again(page);
            assertThat(allocated() - before).as("%s", page).isLessThan(2_000 + 8L * page.count());
        }
    }

    /** The bytes that this thread has allocated. */
    private static long allocated() {
        return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
    }

    @Test
    void theHeaderReadsAsItWasWritten() {
        PageHeader header = new PageHeader(
                SamplePages.ID,
                PageKind.LEAF,
                0,
                42,
                -7,
                99,
                Bytes.utf8("zebra"),
                new Origin(17, 41),
                1_700_000_000_123L,
                Bytes.wrap(new byte[] {100, 3, 7, 8, 9}));
        TreeMap<Bytes, SamplePages.Value> one = new TreeMap<>();
        one.put(Bytes.utf8("yak"), new SamplePages.Value(Bytes.utf8("p"), SamplePages.stamp(5, 1, 2)));
        assertThat(again(SamplePages.leaf(header, one)).header()).isEqualTo(header);
        assertThat(again(SamplePages.leaf(header, new TreeMap<>())).header()).isEqualTo(header);
    }

    @Test
    void anInnerPageFindsChildren() {
        List<InnerEntries.Entry> children = List.of(
                new InnerEntries.Entry(Bytes.EMPTY, 10),
                new InnerEntries.Entry(Bytes.utf8("d"), 20),
                new InnerEntries.Entry(Bytes.utf8("m"), 30));
        PageImage page = again(InnerEntries.of(children)
                .layout(SamplePages.header(PageKind.INNER, 2), 0, 3)
                .encode());
        assertThat(InnerEntries.read(page)).isEqualTo(children);
        assertThat(page.child(page.childFor(Bytes.EMPTY))).isEqualTo(10);
        assertThat(page.child(page.childFor(Bytes.utf8("czz")))).isEqualTo(10);
        assertThat(page.child(page.childFor(Bytes.utf8("d")))).isEqualTo(20);
        assertThat(page.child(page.childFor(Bytes.utf8("zz")))).isEqualTo(30);
        assertThat(page.child(page.childBefore(Bytes.utf8("d")))).isEqualTo(10);
        assertThat(page.child(page.childBefore(Bytes.utf8("da")))).isEqualTo(20);
        assertThat(page.child(page.childBefore(null))).isEqualTo(30);
    }

    @Test
    void aLedgerKeepsItsBody() {
        Bytes body = Bytes.utf8("who applied what");
        PageImage page = again(LedgerPages.encode(SamplePages.header(PageKind.LEDGER, 0), body));
        assertThat(page.body()).isEqualTo(body);
        assertThat(page.count()).isZero();
        assertThatThrownBy(() -> page.payload(0)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void sizesAreKnownBeforehand() {
        for (int seed = 0; seed < 300; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            TreeMap<Bytes, SamplePages.Value> records = SamplePages.records(random, 1 + random.nextInt(300), 500);
            LeafEntries entries = SamplePages.entries(records);
            int from = random.nextInt(entries.count());
            int to = from + random.nextInt(entries.count() - from + 1);
            PageLayout layout = entries.layout(SamplePages.header(PageKind.LEAF, 0), from, to);
            assertThat(layout.encode().bytes().length()).isEqualTo((int) layout.bytes());
        }
    }

    @Test
    void keptEntriesMoveUnchanged() {
        SplittableRandom random = new SplittableRandom(5);
        TreeMap<Bytes, SamplePages.Value> records = SamplePages.records(random, 100, 50);
        PageImage page = SamplePages.leaf(SamplePages.header(PageKind.LEAF, 0), records);
        LeafEntries.Builder builder = LeafEntries.builder(page);
        TreeMap<Bytes, SamplePages.Value> expected = new TreeMap<>();
        for (int i = 0; i < page.count(); i += 2) {
            builder.keep(i);
            expected.put(page.key(i), records.get(page.key(i)));
        }
        LeafEntries kept = builder.build();
        PageImage direct = SamplePages.leaf(page.header(), expected);
        assertThat(kept.layout(page.header(), 0, kept.count()).encode().bytes()).isEqualTo(direct.bytes());
    }

    /** Another writer may spend more bytes on a number than it takes: such an entry is not copied as it is. */
    @Test
    void numbersThatWasteBytesAreReadToTheirEnds() {
        for (int seed = 0; seed < 200; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            TreeMap<Bytes, SamplePages.Value> records = SamplePages.records(random, 1 + random.nextInt(100), 60);
            PageImage thrifty = SamplePages.leaf(SamplePages.header(PageKind.LEAF, 0), records);
            PageImage wasteful = SamplePages.wasteful(thrifty, random);
            assertThat(wasteful.bytes().length()).isGreaterThan(thrifty.bytes().length());
            assertSame(wasteful, thrifty, "seed=" + seed);
            LeafEntries kept = LeafEntries.builder(wasteful).keepAll().build();
            PageImage stored =
                    again(kept.layout(wasteful.header(), 0, kept.count()).encode());
            assertSame(stored, thrifty, "stored again, seed=" + seed);
            // An expiry is copied with the payload.
            if (IntStream.range(0, kept.count()).noneMatch(i -> thrifty.expiryMillis(i) < Expiry.NEVER)) {
                assertThat(stored.bytes()).as("seed=" + seed).isEqualTo(thrifty.bytes());
            }
        }
    }

    private static void assertSame(PageImage page, PageImage expected, String as) {
        assertThat(page.count()).as(as).isEqualTo(expected.count());
        for (int i = 0; i < page.count(); i++) {
            assertThat(page.find(expected.key(i))).as(as).isEqualTo(i);
            assertThat(page.key(i)).as(as).isEqualTo(expected.key(i));
            assertThat(page.payload(i)).as(as).isEqualTo(expected.payload(i));
            assertThat(page.stamp(i)).as(as).isEqualTo(expected.stamp(i));
            assertThat(page.flags(i)).as(as).isEqualTo(expected.flags(i));
            assertThat(page.expiryMillis(i)).as(as).isEqualTo(expected.expiryMillis(i));
        }
    }

    /** A page is laid out before its header is final: its right sibling, for instance, gets its number last. */
    @Test
    void aLayoutServesAnyHeader() {
        for (int seed = 0; seed < 100; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            PageImage page = seed == 0 ? SamplePages.large(3, 700) : SamplePages.any(random);
            if (page.count() == 0) {
                continue;
            }
            NodeEntries entries = page.isLeaf()
                    ? LeafEntries.builder(page).keepAll().build()
                    : InnerEntries.of(InnerEntries.read(page));
            PageHeader next = page.header().next(77, 88).withRight(9, Bytes.utf8("\uffff"));
            PageLayout moved = entries.layout(page.header(), 0, page.count()).under(next);
            assertThat(moved.encode().bytes())
                    .as("seed %d", seed)
                    .isEqualTo(entries.layout(next, 0, page.count()).encode().bytes());
            assertThat(moved.bytes()).isEqualTo(moved.encode().bytes().length());
        }
    }

    /** What is gathered while a page is written and while it is checked is the same. */
    @Test
    void theIndexIsTheSameFromBothSides() {
        for (int seed = 0; seed < 100; seed++) {
            PageImage written = SamplePages.any(new SplittableRandom(seed));
            PageImage read = again(written);
            assertThat(read.newestTime()).as("seed %d", seed).isEqualTo(written.newestTime());
            assertThat(read.isPlain()).isEqualTo(written.isPlain());
            for (int i = 0; i < written.count(); i++) {
                assertThat(written.find(read.key(i))).isEqualTo(i);
                assertThat(read.find(written.key(i))).isEqualTo(i);
            }
        }
    }

    @Test
    void leavesHoldReferences() {
        Bytes reference = OverflowParts.of(new OverflowReference(new ClientId(3), 4, 5_000_000))
                .encode();
        LeafEntries.Builder builder = LeafEntries.builder(null);
        builder.put(Bytes.utf8("a"), Bytes.utf8("small"), SamplePages.stamp(1, 0, 1));
        builder.put(Bytes.utf8("b"), reference, true, Expiry.NEVER, SamplePages.stamp(1, 0, 1));
        LeafEntries entries = builder.build();
        PageHeader header = SamplePages.header(PageKind.LEAF, 0);
        PageImage page = again(entries.layout(header, 0, 2).encode());
        assertThat(page.isReference(0)).isFalse();
        assertThat(page.isReference(1)).isTrue();
        assertThat(OverflowParts.decode(page.payload(1)).length()).isEqualTo(5_000_000);
        assertThat(OverflowReferences.of(page))
                .containsExactlyElementsOf(OverflowParts.decode(reference).objects());
        assertRefused(page, PageFormat.AT_FORMAT, (byte) 2, "format version");
        int flagsAt = page.bytes().length() - page.keyLength(1) - reference.length() - 4;
        assertRefused(page, flagsAt, (byte) 3, "entry flags");
        assertRefused(page, flagsAt, PageFormat.TOMBSTONE, "tombstone payload");
    }

    @Test
    void recordsExpireWithReferencesOrWithout() {
        Bytes reference = OverflowParts.of(new OverflowReference(new ClientId(3), 4, 5_000_000))
                .encode();
        Stamp stamp = SamplePages.stamp(1, 0, 1);
        LeafEntries.Builder builder = LeafEntries.builder(null);
        builder.put(Bytes.utf8("a"), Bytes.utf8("stays"), false, Expiry.NEVER, stamp);
        builder.put(Bytes.utf8("b"), Bytes.utf8("goes"), false, 1_800_000_000_000L, stamp);
        builder.put(Bytes.utf8("c"), reference, true, 1, stamp);
        builder.tombstone(Bytes.utf8("d"), stamp);
        LeafEntries entries = builder.build();
        PageHeader header = SamplePages.header(PageKind.LEAF, 0);
        PageImage page = again(entries.layout(header, 0, 4).encode());
        assertThat(page.expiryMillis(0)).isEqualTo(Expiry.NEVER);
        assertThat(page.expiryMillis(1)).isEqualTo(1_800_000_000_000L);
        assertThat(page.payload(1)).isEqualTo(Bytes.utf8("goes"));
        assertThat(page.isReference(1)).isFalse();
        assertThat(page.expiryMillis(2)).isEqualTo(1);
        assertThat(page.payload(2)).isEqualTo(reference);
        assertThat(page.isReference(2)).isTrue();
        assertThat(page.expiryMillis(3)).isEqualTo(Expiry.NEVER);
        assertThat(OverflowReferences.of(page))
                .containsExactlyElementsOf(OverflowParts.decode(reference).objects());
        PageImage copied = again(LeafEntries.builder(null)
                .copyAll(page)
                .build()
                .layout(header, 0, 4)
                .encode());
        assertThat(copied.bytes()).isEqualTo(page.bytes());
        PageImage kept = again(
                LeafEntries.builder(page).keepAll().build().layout(header, 1, 4).encode());
        assertThat(kept.expiryMillis(0)).isEqualTo(1_800_000_000_000L);
        int flagsAt = page.bytes().length() - 1 - page.keyLength(3) - 2 - 1;
        assertRefused(page, flagsAt, (byte) 5, "entry flags");
        assertRefused(page, flagsAt, PageFormat.EXPIRES, "varint");
    }

    private static void assertRefused(PageImage page, int at, byte value, String check) {
        byte[] bytes = page.bytes().toArray();
        bytes[at] = value;
        PageFormat.putI32(bytes, PageFormat.AT_CRC, PageFormat.checksum(bytes, 0, bytes.length));
        assertThatThrownBy(() -> PageImage.decode(Bytes.wrap(bytes), page.id(), "key"))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("check=" + check);
    }

    @Test
    void aBigHeapTakesWideSlots() {
        TreeMap<Bytes, SamplePages.Value> records = new TreeMap<>();
        for (int i = 0; i < 300; i++) {
            records.put(
                    Bytes.utf8(String.format("%05d", i)),
                    new SamplePages.Value(Bytes.wrap(new byte[400]), SamplePages.stamp(i, 0, 1)));
        }
        PageImage page = again(SamplePages.leaf(SamplePages.header(PageKind.LEAF, 0), records));
        assertThat(page.bytes().length()).isGreaterThan(100_000);
        assertThat(page.find(Bytes.utf8("00299"))).isEqualTo(299);
    }

    /** 16 random bytes share no prefix, and ten clients wrote over a year: nothing is easy about this page. */
    @Test
    void overheadIsAtMostTwelvePercent() {
        SplittableRandom random = new SplittableRandom(1);
        TreeMap<Bytes, SamplePages.Value> records = new TreeMap<>();
        long raw = 0;
        while (raw < 57_000) {
            byte[] key = new byte[16];
            random.nextBytes(key);
            long millis = 1_700_000_000_000L + random.nextLong(365L * 86_400_000);
            records.put(
                    Bytes.wrap(key),
                    new SamplePages.Value(Bytes.wrap(new byte[100]), SamplePages.stamp(millis, 0, random.nextInt(10))));
            raw += 116;
        }
        PageImage page = SamplePages.leaf(SamplePages.header(PageKind.LEAF, 0), records);
        assertThat(page.bytes().length()).isLessThanOrEqualTo(64 << 10);
        assertThat((double) page.bytes().length() / raw).isLessThanOrEqualTo(1.12);
    }

    @Test
    void separatorsAreShort() {
        LeafEntries.Builder builder = LeafEntries.builder(null);
        builder.put(Bytes.utf8("apple pie"), Bytes.EMPTY, SamplePages.stamp(1, 0, 1));
        builder.put(Bytes.utf8("apricot jam"), Bytes.EMPTY, SamplePages.stamp(1, 0, 1));
        assertThat(builder.build().separator(1)).isEqualTo(Bytes.utf8("apr"));
    }

    @Test
    void anotherPageUnderTheKeyIsCorrupt() {
        PageImage page = SamplePages.leaf(SamplePages.header(PageKind.LEAF, 0), new TreeMap<>());
        PageId other = new PageId(new TreeId(1), 1);
        assertThatThrownBy(() -> PageImage.decode(page.bytes(), other, "store/pages/1"))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("key=store/pages/1")
                .hasMessageContaining("version=7")
                .hasMessageContaining("expected=")
                .hasMessageContaining("found=");
    }
}
