package io.penstock.core.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Bytes;
import io.penstock.core.PageId;
import io.penstock.core.object.ObjectVersion;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.page.LedgerPages;
import io.penstock.core.page.PageHeader;
import io.penstock.core.page.PageImage;
import io.penstock.core.page.PageKind;
import io.penstock.core.page.SamplePages;
import io.penstock.testing.InlineTasks;
import io.penstock.testing.MemoryObjectStore;
import io.penstock.testing.MemoryObjectStore.Call;
import io.penstock.testing.MemoryTier;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** With a second level, reads answer as without it: the store is asked before a page of the tier is used. */
class TieredReadsTest {
    private final MemoryObjectStore store = new MemoryObjectStore();
    private final InlineTasks tasks = new InlineTasks(1);
    private final MemoryTier tier = new MemoryTier(1, 100, 0);
    private PageManager pages = manager(tier);
    private final PageManager other = manager(PageTier.NONE);

    private PageManager manager(PageTier ofPool) {
        BufferPool pool = new BufferPool(new PoolRoom(1 << 20), Duration.ofSeconds(10), ofPool);
        return new PageManager(store, pool, tasks, "shop/");
    }

    private void restart() {
        pages = manager(tier);
    }

    private static PageImage leaf(long version) {
        PageHeader header = PageHeader.of(SamplePages.ID, PageKind.LEAF, 0, version, 100 + version);
        return SamplePages.leaf(header, SamplePages.records(new SplittableRandom(version), 20, 30));
    }

    private static long version(PageManager of) {
        return of.get(SamplePages.ID).orElseThrow().image().version();
    }

    @Test
    void anUnchangedPageOfTheTierCostsAQuestionAndNoBytes() {
        other.put(leaf(1), WriteCondition.IF_ABSENT);
        assertThat(version(pages)).isEqualTo(1);
        restart();
        assertThat(version(pages)).isEqualTo(1);
        assertThat(version(pages)).isEqualTo(1);
        assertThat(store.count(Call.GET)).as("before the restart").isEqualTo(1);
        assertThat(store.count(Call.GET_IF_CHANGED)).as("after it").isEqualTo(1);
        assertThat(tier.stats().hits()).isEqualTo(1);
    }

    @Test
    void aPageThatChangedMeanwhileIsReadAnew() {
        PageFrame first = other.put(leaf(1), WriteCondition.IF_ABSENT);
        assertThat(version(pages)).isEqualTo(1);
        other.put(leaf(2), WriteCondition.ifVersion(first.version()));
        restart();
        assertThat(version(pages)).isEqualTo(2);
        restart();
        assertThat(version(pages)).isEqualTo(2);
        assertThat(store.count(Call.GET)).as("the tier has the new one").isEqualTo(1);
        assertThat(store.count(Call.GET_IF_CHANGED)).isEqualTo(2);
    }

    @Test
    void theStoreDecidesAlsoWhenItWasSetBack() {
        PageFrame first = other.put(leaf(5), WriteCondition.IF_ABSENT);
        assertThat(version(pages)).isEqualTo(5);
        store.put(other.objectKey(SamplePages.ID), leaf(3).bytes(), WriteCondition.ifVersion(first.version()));
        restart();
        assertThat(version(pages)).as("restored from a backup").isEqualTo(3);
    }

    @Test
    void aPageThatIsGoneIsGone() {
        other.put(leaf(1), WriteCondition.IF_ABSENT);
        assertThat(version(pages)).isEqualTo(1);
        store.delete(other.objectKey(SamplePages.ID));
        restart();
        assertThat(pages.get(SamplePages.ID)).isEmpty();
        assertThat(tier.stats().pages()).isZero();
    }

    @Test
    void ownWritesAreKeptAndOwnDeletesDropped() {
        pages.put(leaf(1), WriteCondition.IF_ABSENT);
        restart();
        assertThat(version(pages)).isEqualTo(1);
        assertThat(store.count(Call.GET)).isZero();
        pages.delete(SamplePages.ID);
        assertThat(tier.stats().pages()).isZero();
    }

    @Test
    void bytesThatAreNoPageAreDroppedAndReadAnew() {
        PageFrame first = other.put(leaf(1), WriteCondition.IF_ABSENT);
        tier.keep(SamplePages.ID, new PageTier.Kept(Bytes.utf8("no page"), first.version()));
        assertThat(version(pages)).isEqualTo(1);
        assertThat(store.count(Call.GET)).isEqualTo(1);
        restart();
        assertThat(version(pages)).isEqualTo(1);
        assertThat(store.count(Call.GET)).isEqualTo(1);
    }

    @Test
    void aPoolThatKnowsMoreThanTheTierKeepsIt() {
        PageFrame first = other.put(leaf(1), WriteCondition.IF_ABSENT);
        pages.put(leaf(2), WriteCondition.ifVersion(first.version()));
        tier.keep(SamplePages.ID, new PageTier.Kept(leaf(1).bytes(), first.version()));
        tasks.advance(Duration.ofSeconds(11));
        assertThat(version(pages)).isEqualTo(2);
    }

    /** Two clients that do the same, one with a small second level that forgets, see the same at every step. */
    @Test
    void readsAnswerAsWithoutTheTier() {
        long hits = 0;
        for (long seed = 0; seed < 40; seed++) {
            hits += compare(seed);
        }
        assertThat(hits).as("pages found in the tier").isGreaterThan(400);
    }

    private static long compare(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        MemoryObjectStore objects = new MemoryObjectStore();
        InlineTasks time = new InlineTasks(seed);
        MemoryTier disk = new MemoryTier(seed, 6, 0.1);
        // Room for about three pages, so that most come from the second level.
        Function<PageTier, PageManager> small = tier -> new PageManager(
                objects, new BufferPool(new PoolRoom(5_000), Duration.ofSeconds(10), tier), time, "shop/");
        PageManager writer = small.apply(PageTier.NONE);
        PageManager with = small.apply(disk);
        PageManager without = small.apply(PageTier.NONE);
        for (int step = 0; step < 200; step++) {
            PageId id = new PageId(SamplePages.ID.tree(), 1 + random.nextInt(8));
            switch (random.nextInt(10)) {
                case 0, 1, 2 -> write(writer, id, random);
                case 3 -> writer.delete(id);
                case 4 -> time.advance(Duration.ofSeconds(random.nextInt(12)));
                case 5 -> {
                    with = small.apply(disk);
                    without = small.apply(PageTier.NONE);
                }
                default ->
                    assertThat(with.get(id).map(frame -> frame.image().version()))
                            .as("seed=%d step=%d", seed, step)
                            .isEqualTo(
                                    without.get(id).map(frame -> frame.image().version()));
            }
        }
        return disk.stats().hits();
    }

    private static void write(PageManager writer, PageId id, SplittableRandom random) {
        long version = writer.refresh(id).map(frame -> frame.image().version()).orElse(0L) + 1;
        PageHeader header = PageHeader.of(id, PageKind.LEAF, 0, version, random.nextLong());
        writer.put(SamplePages.leaf(header, SamplePages.records(random, 20, 60)), WriteCondition.ALWAYS);
    }

    @Test
    void ledgersStayOut() {
        PageHeader header = PageHeader.of(SamplePages.ID, PageKind.LEDGER, 0, 1, 2);
        pages.put(LedgerPages.encode(header, Bytes.utf8("ledger")), WriteCondition.IF_ABSENT);
        assertThat(tier.stats().pages()).isZero();
    }

    @Test
    void checksReadPastTheTier() {
        PageId id = SamplePages.ID;
        pages.put(leaf(1), WriteCondition.IF_ABSENT);
        tier.keep(id, new PageTier.Kept(leaf(9).bytes(), new ObjectVersion("forged")));
        assertThat(pages.read(id).orElseThrow().image().version()).isEqualTo(1);
    }
}
