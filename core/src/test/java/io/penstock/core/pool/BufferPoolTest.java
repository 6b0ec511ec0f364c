package io.penstock.core.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.PageId;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.object.ObjectVersion;
import io.penstock.core.page.LeafEntries;
import io.penstock.core.page.LedgerPages;
import io.penstock.core.page.Origin;
import io.penstock.core.page.PageHeader;
import io.penstock.core.page.PageImage;
import io.penstock.core.page.PageKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BufferPoolTest {
    private static final TreeId TREE = new TreeId(1);

    private static PageId id(long number) {
        return new PageId(TREE, number);
    }

    private static PageFrame frame(long number, long version, Origin origin, int bytes, long nanos) {
        PageHeader plain = PageHeader.of(id(number), PageKind.LEDGER, 0, version, number * 1000 + version);
        PageHeader header = new PageHeader(
                plain.id(), plain.kind(), 0, version, plain.writeId(), PageId.NONE, null, origin, 0, Bytes.EMPTY);
        PageImage image = LedgerPages.encode(header, Bytes.wrap(new byte[bytes]));
        return new PageFrame(image, new ObjectVersion(number + "/" + version), nanos);
    }

    private static PageFrame frame(long number, long version) {
        return frame(number, version, Origin.NONE, 888, 0);
    }

    private static BufferPool pool(int pages) {
        // 888 body + 112 header + 512 overhead.
        return new BufferPool(pages * 1512L, Duration.ofSeconds(1));
    }

    @Test
    void onlyMovesForward() {
        BufferPool pool = pool(10);
        PageFrame two = frame(5, 2);
        assertThat(pool.offer(two, pool.mark())).isSameAs(two);
        assertThat(pool.offer(frame(5, 1), pool.mark())).isSameAs(two);
        assertThat(pool.find(id(5))).isSameAs(two);
        PageFrame three = frame(5, 3);
        assertThat(pool.offer(three, pool.mark())).isSameAs(three);
        assertThat(pool.find(id(5))).isSameAs(three);
    }

    @Test
    void anOlderAnswerCountsAsACheck() {
        BufferPool pool = pool(10);
        pool.offer(frame(5, 2), pool.mark());
        assertThat(pool.offer(frame(5, 1).checkedAt(70), pool.mark()).image().version())
                .isEqualTo(2);
        assertThat(pool.find(id(5)).checkedNanos()).isEqualTo(70);
    }

    @Test
    void aLateCheckDoesNotMakeAPageOlder() {
        BufferPool pool = pool(10);
        PageFrame now = frame(5, 2).checkedAt(100);
        pool.offer(now, pool.mark());
        assertThat(pool.offer(frame(5, 2).checkedAt(50), pool.mark())).isSameAs(now);
    }

    @Test
    void aSplitOffPageMakesItsOldOriginDue() {
        BufferPool pool = pool(10);
        pool.offer(frame(5, 2, Origin.NONE, 10, 1000), pool.mark());
        pool.offer(frame(6, 3, Origin.NONE, 10, 1000), pool.mark());
        pool.offer(frame(8, 2, new Origin(5, 2), 10, 1000), pool.mark());
        pool.offer(frame(9, 2, new Origin(6, 2), 10, 1000), pool.mark());
        assertThat(isDue(pool, pool.find(id(5)), 1000)).isTrue();
        assertThat(isDue(pool, pool.find(id(6)), 1000)).isFalse();
    }

    @Test
    void staysWithinItsBytes() {
        BufferPool pool = pool(20);
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 5000; i++) {
            int number = 2 + random.nextInt(100);
            if (pool.find(id(number)) == null) {
                pool.offer(frame(number, i + 1, Origin.NONE, random.nextInt(2000), 0), pool.mark());
            } else if (random.nextInt(10) == 0) {
                pool.forget(id(number), pool.peek(id(number)));
            } else if (random.nextInt(3) == 0) {
                pool.offer(frame(number, i + 1, Origin.NONE, random.nextInt(4000), 0), pool.mark());
            }
            assertThat(pool.stats().bytes()).isLessThanOrEqualTo(20 * 1512L).isNotNegative();
        }
        PoolStats stats = pool.stats();
        assertThat(stats.evictions()).isPositive();
        assertThat(stats.pages()).isPositive();
        assertThat(stats.hits() + stats.misses()).isEqualTo(5000);
        pool.clear();
        assertThat(pool.stats().bytes()).isZero();
    }

    @Test
    void poolsOfOneRoomStayWithinItTogether() {
        PoolRoom room = new PoolRoom(30 * 1512L);
        List<BufferPool> pools = IntStream.range(0, 3)
                .mapToObj(i -> new BufferPool(room, Duration.ofSeconds(1), PageTier.NONE))
                .toList();
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 5000; i++) {
            BufferPool pool = pools.get(random.nextInt(3));
            int number = 2 + random.nextInt(100);
            PageFrame known = pool.find(id(number));
            switch (random.nextInt(50)) {
                case 0 -> pool.clear();
                case 1 -> pool.forget(id(number), known);
                default -> pool.offer(frame(number, i + 1, Origin.NONE, random.nextInt(3000), 0), pool.mark());
            }
            assertThat(pools.stream().mapToLong(BufferPool::bytes).sum())
                    .as("step %d", i)
                    .isEqualTo(room.used())
                    .isLessThanOrEqualTo(room.bytesMax());
        }
        pools.forEach(BufferPool::close);
        assertThat(room.used()).isZero();
    }

    @Test
    void aPoolThatNobodyReadsGivesItsRoomFirst() {
        PoolRoom room = new PoolRoom(30 * 1512L);
        BufferPool idle = new BufferPool(room, Duration.ofSeconds(1), PageTier.NONE);
        BufferPool small = new BufferPool(room, Duration.ofSeconds(1), PageTier.NONE);
        BufferPool large = new BufferPool(room, Duration.ofSeconds(1), PageTier.NONE);
        fill(idle, 10);
        fill(small, 5);
        fill(large, 15);
        for (int number = 16; number <= 60; number++) {
            readAll(small, 5);
            fill(large, number, number);
        }
        assertThat(idle.stats().pages()).isZero();
        assertThat(small.stats().pages()).as("pages of a pool that is read").isEqualTo(5);
        assertThat(large.stats().pages()).isEqualTo(25);
    }

    @Test
    void aClosedPoolLeavesItsRoomToOthers() {
        PoolRoom room = new PoolRoom(10 * 1512L);
        BufferPool closed = new BufferPool(room, Duration.ofSeconds(1), PageTier.NONE);
        fill(closed, 10);
        closed.close();
        assertThat(room.used()).isZero();
        BufferPool open = new BufferPool(room, Duration.ofSeconds(1), PageTier.NONE);
        fill(open, 10);
        fill(closed, 11, 12);
        assertThat(open.stats().pages()).isEqualTo(10);
    }

    private static void fill(BufferPool pool, int pages) {
        fill(pool, 1, pages);
    }

    private static void fill(BufferPool pool, int first, int last) {
        for (int number = first; number <= last; number++) {
            assertThat(pool.find(id(number))).isNull();
            pool.offer(frame(number, 1), pool.mark());
        }
    }

    private static void readAll(BufferPool pool, int pages) {
        for (int number = 1; number <= pages; number++) {
            assertThat(pool.find(id(number))).isNotNull();
        }
    }

    @Test
    void aPageLargerThanThePoolIsNotKept() {
        BufferPool pool = pool(1);
        pool.offer(frame(5, 1, Origin.NONE, 9000, 0), pool.mark());
        assertThat(pool.find(id(5))).isNull();
        assertThat(new BufferPool(0, Duration.ZERO).offer(frame(5, 1), 0)).isNotNull();
    }

    @Test
    void aScanDoesNotWashOutWhatIsUsed() {
        BufferPool pool = hotPool();
        for (int cold = 1000; cold < 2000; cold++) {
            assertThat(pool.find(id(cold))).isNull();
            pool.offer(frame(cold, 1), pool.mark());
        }
        assertThat(hotPages(pool)).isEqualTo(30);
    }

    @Test
    void aScanThatFetchesAheadDoesNotWashOutWhatIsUsed() {
        BufferPool pool = hotPool();
        for (int cold = 1000; cold < 2000; cold++) {
            pool.offer(frame(cold, 1), pool.mark());
            pool.expect(id(cold));
            assertThat(pool.find(id(cold))).isNotNull();
        }
        assertThat(hotPages(pool)).isEqualTo(30);
    }

    /** The page was evicted before its use, so its first use does not count as that of a page that returns. */
    @Test
    void aPageThatWasFetchedInVainDoesNotWashOutWhatIsUsed() {
        BufferPool pool = hotPool();
        for (int cold = 1000; cold < 2000; cold++) {
            pool.offer(frame(cold, 1), pool.mark());
            pool.expect(id(cold));
            int late = cold - 30;
            if (late >= 1000) {
                assertThat(pool.find(id(late))).isNull();
                pool.offer(frame(late, 1), pool.mark());
            }
        }
        assertThat(hotPages(pool)).isEqualTo(30);
    }

    /** Room for 50 pages, 30 of which were read three times. */
    private static BufferPool hotPool() {
        BufferPool pool = pool(50);
        for (int round = 0; round < 3; round++) {
            for (int hot = 2; hot < 32; hot++) {
                if (pool.find(id(hot)) == null) {
                    pool.offer(frame(hot, 1), pool.mark());
                }
            }
        }
        return pool;
    }

    private static long hotPages(BufferPool pool) {
        return LongStream.range(2, 32).filter(hot -> pool.find(id(hot)) != null).count();
    }

    @Test
    void evictionIsAFunctionOfTheCalls() {
        assertThat(trace(7)).isEqualTo(trace(7));
    }

    private static List<Boolean> trace(long seed) {
        BufferPool pool = pool(30);
        SplittableRandom random = new SplittableRandom(seed);
        List<Boolean> hits = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
            int number = 2 + (int) (random.nextDouble() * random.nextDouble() * 200);
            boolean hit = pool.find(id(number)) != null;
            hits.add(hit);
            if (!hit) {
                pool.offer(frame(number, 1), pool.mark());
            }
        }
        return hits;
    }

    @Test
    void asksAboutAPageThatWasTakenOver() {
        BufferPool pool = new BufferPool(1 << 20, Duration.ofSeconds(10));
        PageHeader right = PageHeader.of(id(5), PageKind.LEAF, 0, 3, 11);
        PageFrame taken = pool.offer(leaf(right, "l"), pool.mark());
        assertThat(isDue(pool, taken, 1_000)).isFalse();
        PageHeader retired = right.next(12, 0).retired(Bytes.utf8("k"));
        pool.offer(
                leaf(PageHeader.of(id(4), PageKind.LEAF, 0, 3, 11).takingOver(retired, 1234), "b", "l"), pool.mark());
        assertThat(isDue(pool, pool.peek(id(5)), 1_000)).isTrue();
    }

    private static boolean isDue(BufferPool pool, @Nullable PageFrame page, long nowNanos) {
        PageFrame found = Objects.requireNonNull(page);
        return pool.isDue(found.image().id(), found.checkedNanos(), nowNanos - pool.ttlNanos());
    }

    private static PageFrame leaf(PageHeader header, String... keys) {
        LeafEntries.Builder entries = LeafEntries.builder(null);
        for (String key : keys) {
            entries.put(Bytes.utf8(key), Bytes.utf8("payload of " + key), Stamp.of(5, 0, new ClientId(1)));
        }
        PageImage image = entries.build().layout(header, 0, keys.length).encode();
        return new PageFrame(PageImage.decode(image.bytes(), header.id(), "test"), new ObjectVersion("v"), 1_000);
    }

    @Test
    void aTreeOfWhichAPageWasSeenIsNotKnownAsEmpty() {
        BufferPool pool = pool(64);
        pool.learnEmpty(TREE, 0);
        assertThat(pool.isKnownEmpty(TREE, 1)).isTrue();
        pool.offer(frame(PageId.ROOT, 1), pool.mark());
        assertThat(pool.isKnownEmpty(TREE, 1)).isFalse();
    }

    /** What is forgotten must not stay on the heap, though the pool never runs out of room. */
    @Test
    void forgottenPagesAreReleased() {
        BufferPool pool = pool(64);
        for (int i = 1; i <= 1000; i++) {
            PageFrame frame = frame(i, 1);
            pool.offer(frame, pool.mark());
            pool.forget(id(i), frame);
        }
        assertThat(pool.stats().bytes()).isZero();
        assertThat(pool.queued()).isLessThan(10);
    }

    /** A slow read whose answer arrives after a newer version came and went. */
    @Test
    void anOlderPageThatComesBackIsDueForACheck() {
        BufferPool pool = pool(20);
        long begun = pool.mark();
        pool.offer(frame(5, 2), pool.mark());
        for (int i = 100; i < 200; i++) {
            pool.offer(frame(i, 1), pool.mark());
        }
        assertThat(pool.peek(id(5))).isNull();
        PageFrame slow = frame(5, 1);
        assertThat(pool.offer(slow, begun)).isSameAs(slow);
        assertThat(isDue(pool, pool.peek(id(5)), 0)).isTrue();
        assertThat(pool.findYoung(id(5), -Duration.ofSeconds(1).toNanos())).isNull();
        PageFrame fresh = frame(6, 1);
        pool.offer(fresh, pool.mark());
        assertThat(pool.findYoung(id(6), -Duration.ofSeconds(1).toNanos())).isSameAs(fresh);
    }
}
