package io.penstock.core.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.Compression;
import io.penstock.core.CorruptDataException;
import io.penstock.core.PageId;
import io.penstock.core.object.ObjectVersion;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.page.LeafEntries;
import io.penstock.core.page.LeafHead;
import io.penstock.core.page.PageHeader;
import io.penstock.core.page.PageImage;
import io.penstock.core.page.PageKind;
import io.penstock.core.page.SamplePages;
import io.penstock.core.page.StoredPage;
import io.penstock.core.pool.PageManager.LeafPart;
import io.penstock.testing.InlineTasks;
import io.penstock.testing.MemoryObjectStore;
import io.penstock.testing.MemoryObjectStore.Call;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A part of a large leaf says what the whole leaf says, or nothing. */
class PartialReadsTest {
    private static final PageId ID = SamplePages.ID;
    private static final int BLOCK = 64 << 10;
    private static final int RECORDS = 1_000;

    private final MemoryObjectStore store = new MemoryObjectStore();
    private final InlineTasks tasks = new InlineTasks(1);
    private final PageManager pages = manager();

    private PageManager manager() {
        BufferPool pool = new BufferPool(32 << 20, Duration.ofSeconds(10));
        return new PageManager(store, pool, tasks, "shop/");
    }

    private static Bytes key(int number) {
        return Bytes.utf8("key/%08d".formatted(number));
    }

    private ObjectVersion put(PageImage page) {
        return store.put(pages.objectKey(ID), page.bytes(), WriteCondition.ALWAYS)
                .version();
    }

    private static void assertSame(PageImage part, PageImage whole, String what) {
        assertThat(part.count()).as(what).isPositive();
        int first = whole.find(part.key(0));
        for (int i = 0; i < part.count(); i++) {
            assertThat(part.key(i)).as(what).isEqualTo(whole.key(first + i));
            assertThat(part.stamp(i)).as(what).isEqualTo(whole.stamp(first + i));
            assertThat(part.isTombstone(i)).as(what).isEqualTo(whole.isTombstone(first + i));
            assertThat(part.payload(i)).as(what).isEqualTo(whole.payload(first + i));
        }
    }

    @Test
    void blocksOfAnEarlierWriteAreNotBelieved() {
        PageImage page = SamplePages.large(1, RECORDS);
        // A writer that does not know blocks copies them, and draws a write id of its own.
        put(SamplePages.withWriteId(page, 99));
        assertThat(pages.part(ID, key(500), false, BLOCK)).isEmpty();
        assertThat(pages.get(ID)).isPresent();
    }

    /** The object has no parts: one read tells, and then the whole page is read. */
    @Test
    void aCompressedPageIsReadWhole() {
        PageImage page = SamplePages.words(1, 40_000);
        Bytes stored = StoredPage.encode(page, Compression.ZSTD);
        assertThat(stored.length()).isGreaterThan(100 << 10);
        store.put(pages.objectKey(ID), stored, WriteCondition.ALWAYS);
        assertThat(pages.part(ID, key(5_000), false, BLOCK)).isEmpty();
        assertThat(store.count(Call.GET)).isEqualTo(1);
        assertThat(pages.get(ID).orElseThrow().image().bytes()).isEqualTo(page.bytes());
        assertThat(pages.part(ID, key(5_000), false, BLOCK)).isEmpty();
        assertThat(store.count(Call.GET)).as("it is pooled").isEqualTo(2);
    }

    /** The read of the front returned the whole page. */
    @Test
    void aSmallCompressedPageIsTakenAtOnce() {
        PageImage page = SamplePages.words(1, 300);
        store.put(pages.objectKey(ID), StoredPage.encode(page, Compression.ZSTD), WriteCondition.ALWAYS);
        assertThat(pages.part(ID, key(5_000), false, BLOCK)).isEmpty();
        assertThat(pages.get(ID).orElseThrow().image().bytes()).isEqualTo(page.bytes());
        assertThat(store.count(Call.GET)).isEqualTo(1);
    }

    @Test
    void aPointReadTakesASmallPart() {
        PageImage page = SamplePages.large(1, RECORDS);
        put(page);
        LeafPart part = pages.part(ID, key(5_000), false, BLOCK).orElseThrow();
        assertThat(store.count(Call.GET)).as("head, slots and heap").isEqualTo(3);
        assertThat(part.page().image().bytes().length()).isLessThan(2 * BLOCK);
        assertThat(part.page().image().find(key(5_000))).isNotNegative();
        pages.part(ID, key(5_010), false, BLOCK).orElseThrow();
        assertThat(store.count(Call.GET)).as("the neighbour is there already").isEqualTo(3);
    }

    @Test
    void everyKeyIsAnsweredAsByTheWholePage() {
        for (long seed = 1; seed <= 5; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            PageImage page = SamplePages.large(seed, 600 + random.nextInt(800));
            put(page);
            PageManager fresh = manager();
            int parts = 0;
            for (int i = 0; i < 40; i++) {
                Bytes key = key(random.nextInt(10 * page.count() + 4));
                boolean before = random.nextBoolean();
                Optional<LeafPart> found = fresh.part(ID, key, before, 1 + random.nextInt(100_000));
                if (found.isEmpty()) {
                    continue;
                }
                parts++;
                String what = "seed=" + seed + " step=" + i;
                PageImage part = found.get().page().image();
                assertSame(part, page, what);
                Bytes low = found.get().low();
                Bytes high = part.header().highKey();
                boolean aboveLow = low == null || key.compareTo(low) >= (before ? 1 : 0);
                boolean belowHigh = high == null || key.compareTo(high) < (before ? 1 : 0);
                assertThat(aboveLow && belowHigh).as(what).isTrue();
                if (!before) {
                    assertThat(part.find(key) >= 0).as(what).isEqualTo(page.find(key) >= 0);
                }
            }
            assertThat(parts).as("seed=%d", seed).isGreaterThan(5);
        }
    }

    @Test
    void aWalkThroughPartsMeetsEveryRecordOnceAndEndsWithTheWholePage() {
        PageImage page = SamplePages.large(3, RECORDS);
        put(page);
        Bytes bound = key(0);
        int met = 0;
        int rounds = 0;
        for (Optional<LeafPart> part = pages.part(ID, bound, false, BLOCK);
                part.isPresent();
                part = pages.part(ID, bound, false, BLOCK)) {
            PageImage image = part.get().page().image();
            assertSame(image, page, "from " + met);
            assertThat(image.key(0)).isEqualTo(page.key(met));
            met += image.count();
            bound = image.header().highKey();
            assertThat(image.header().right()).isEqualTo(ID.number());
            rounds++;
        }
        assertThat(rounds).isBetween(1, 4);
        assertThat(met).as("at most a quarter").isBetween(30, RECORDS / 4);
        pages.get(ID);
        assertThat(pages.part(ID, bound, false, BLOCK)).as("pooled whole").isEmpty();
    }

    @Test
    void keysBeyondThePageAreLeftToItsSibling() {
        put(SamplePages.large(1, RECORDS));
        assertThat(pages.part(ID, key(10 * RECORDS + 5), false, BLOCK)).isEmpty();
        assertThat(pages.part(ID, key(10 * RECORDS + 5), true, BLOCK)).isPresent();
        assertThat(pages.part(ID, key(10 * RECORDS + 6), true, BLOCK)).isEmpty();
        assertThat(pages.part(ID, null, true, BLOCK)).isEmpty();
    }

    @Test
    void damageIsNeverAWrongAnswer() {
        PageImage page = SamplePages.large(1, RECORDS);
        byte[] valid = page.bytes().toArray();
        SplittableRandom random = new SplittableRandom(5);
        int head = LeafHead.of(page.bytes(), ID).orElseThrow().length();
        int told = 0;
        for (int i = 0; i < 1_500; i++) {
            byte[] damaged = valid.clone();
            // All of the head, then the slots, then anywhere.
            int at = i < head ? i : head + random.nextInt(i % 2 == 0 ? 2 * RECORDS : valid.length - head);
            damaged[at] ^= (byte) (1 << random.nextInt(8));
            store.put(pages.objectKey(ID), Bytes.wrap(damaged), WriteCondition.ALWAYS);
            PageManager fresh = manager();
            int flipped = at;
            for (int number : new int[] {0, 2_500, 5_000, 9_990}) {
                Optional<LeafPart> part = fresh.part(ID, key(number), false, BLOCK);
                part.ifPresent(found -> assertSame(found.page().image(), page, "byte " + flipped));
                if (part.isEmpty()) {
                    told++;
                    assertThatThrownBy(() -> fresh.get(ID))
                            .as("byte %d", flipped)
                            .isInstanceOf(CorruptDataException.class);
                }
            }
        }
        assertThat(told).as("damage met").isGreaterThan(head);
    }

    @Test
    void randomFrontsAreNoHeads() {
        SplittableRandom random = new SplittableRandom(8);
        byte[] valid = SamplePages.large(1, RECORDS).bytes().slice(0, 16 << 10).toArray();
        for (int i = 0; i < 20_000; i++) {
            byte[] front = java.util.Arrays.copyOf(valid, random.nextInt(valid.length));
            for (int flips = random.nextInt(6); flips >= 0 && front.length > 0; flips--) {
                front[random.nextInt(Math.min(front.length, 400))] = (byte) random.nextInt(256);
            }
            LeafHead.headBytes(Bytes.wrap(front));
            LeafHead.of(Bytes.wrap(front), ID);
        }
    }

    @Test
    void aPageThatChangesBetweenTwoRangesIsReadAgain() {
        PageImage first = SamplePages.large(1, RECORDS);
        PageImage second = SamplePages.large(2, RECORDS);
        put(first);
        MemoryObjectStore.Hook overtaken = new MemoryObjectStore.Hook() {
            private int gets;

            @Override
            public void before(Call call, String key) {
                if (call == Call.GET && ++gets == 2) {
                    put(second);
                }
            }
        };
        store.setHook(overtaken);
        LeafPart part = pages.part(ID, key(5_000), false, BLOCK).orElseThrow();
        assertThat(part.page().image().version()).isEqualTo(2);
        assertSame(part.page().image(), second, "second");
    }

    @Test
    void partsAreAsOldAsPooledPagesMayBe() {
        put(SamplePages.large(1, RECORDS));
        pages.part(ID, key(5_000), false, BLOCK);
        put(SamplePages.large(2, RECORDS));
        assertThat(pages.part(ID, key(5_000), false, BLOCK)
                        .orElseThrow()
                        .page()
                        .image()
                        .version())
                .isEqualTo(1);
        tasks.advance(Duration.ofSeconds(11));
        assertThat(pages.part(ID, key(5_000), false, BLOCK)
                        .orElseThrow()
                        .page()
                        .image()
                        .version())
                .isEqualTo(2);
        tasks.advance(Duration.ofSeconds(11));
        int gets = store.count(Call.GET);
        pages.part(ID, key(5_000), false, BLOCK);
        assertThat(store.count(Call.GET)).as("unchanged: the head alone").isEqualTo(gets + 1);
    }

    @Test
    void partsGoWhenThePageIsSeenWhole() {
        PageImage first = SamplePages.large(1, RECORDS);
        ObjectVersion version = put(first);
        pages.part(ID, key(5_000), false, BLOCK);
        pages.put(SamplePages.large(2, RECORDS), WriteCondition.ifVersion(version));
        pages.pool().forget(ID, pages.pool().peek(ID));
        assertThat(pages.part(ID, key(5_000), false, BLOCK)
                        .orElseThrow()
                        .page()
                        .image()
                        .version())
                .isEqualTo(2);
    }

    @Test
    void partsGoWhenAPageThatWasSplitOffIsSeen() {
        PageImage first = SamplePages.large(1, RECORDS);
        put(first);
        pages.part(ID, key(5_000), false, BLOCK);
        put(SamplePages.large(2, RECORDS));
        PageHeader right = first.header().splitOff(77, 5, 6);
        PageImage sibling =
                SamplePages.leaf(right.withRight(0, null), SamplePages.records(new SplittableRandom(1), 5, 5));
        pages.put(sibling, WriteCondition.IF_ABSENT);
        assertThat(pages.part(ID, key(5_000), false, BLOCK)
                        .orElseThrow()
                        .page()
                        .image()
                        .version())
                .isEqualTo(2);
    }

    @Test
    void smallPagesComeWholeWithTheFirstRange() {
        PageImage small = SamplePages.large(1, 12);
        put(small);
        assertThat(pages.part(ID, key(20), false, BLOCK)).isEmpty();
        assertThat(pages.get(ID)).isPresent();
        assertThat(store.count(Call.GET)).isEqualTo(1);
    }

    @Test
    void partsTakeABoundedShareOfThePool() {
        BufferPool pool = new BufferPool(4 << 20, Duration.ofSeconds(10));
        PartialLeaves parts = pool.parts();
        for (int i = 1; i <= 40; i++) {
            PageId id = new PageId(ID.tree(), i);
            PageImage page = SamplePages.large(1, RECORDS);
            PageHeader header = PageHeader.of(id, PageKind.LEAF, 0, 1, i)
                    .withRight(77, page.header().highKey());
            LeafEntries.Builder builder = LeafEntries.builder(page);
            builder.keep(0, RECORDS);
            Bytes bytes = builder.build().layout(header, 0, RECORDS).encode().bytes();
            store.put(pages.objectKey(id), bytes, WriteCondition.ALWAYS);
        }
        PageManager reader = new PageManager(store, pool, tasks, "shop/");
        for (int i = 1; i <= 40; i++) {
            assertThat(reader.part(new PageId(ID.tree(), i), key(5_000), false, BLOCK))
                    .isPresent();
        }
        List<Integer> held = java.util.stream.IntStream.rangeClosed(1, 40)
                .filter(i -> parts.find(new PageId(ID.tree(), i)) != null)
                .boxed()
                .toList();
        assertThat(held.size()).isBetween(3, 8);
        assertThat(held).contains(40).doesNotContain(1);
    }
}
