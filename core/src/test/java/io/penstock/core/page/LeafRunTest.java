package io.penstock.core.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LeafRunTest {
    private static void assertShows(LeafRun run, PageImage page, int index, String as) {
        assertThat(run.key()).as(as).isEqualTo(page.key(index));
        assertThat(run.payload()).as(as).isEqualTo(page.payload(index));
        assertThat(run.isTombstone()).as(as).isEqualTo(page.isTombstone(index));
        assertThat(run.isReference()).as(as).isEqualTo(page.isReference(index));
        assertThat(run.stamp()).as(as).isEqualTo(page.stamp(index));
        assertThat(run.time()).as(as).isEqualTo(page.time(index));
        assertThat(run.isOlderThan(SamplePages.stamp(2_000, 1, 7)))
                .as(as)
                .isEqualTo(page.isNewer(SamplePages.stamp(2_000, 1, 7), index));
    }

    /** A leaf of this writer or of another one, whose numbers are longer than they must be. */
    private static PageImage page(SplittableRandom random) {
        PageImage page = SamplePages.leaf(
                SamplePages.header(PageKind.LEAF, 0), SamplePages.records(random, random.nextInt(200), 300));
        return random.nextInt(3) == 0 ? SamplePages.wasteful(page, random) : page;
    }

    @Test
    void aLookShowsWhatThePageSays() {
        LeafRun run = new LeafRun();
        for (int seed = 0; seed < 100; seed++) {
            PageImage page = page(new SplittableRandom(seed));
            for (int i = 0; i < page.count(); i++) {
                run.look(page, i);
                assertThat(run.left()).isZero();
                assertThat(run.next()).isFalse();
                assertShows(run, page, i, "seed=" + seed);
            }
        }
    }

    /** Both ways, between any two places, on one leaf after the other. */
    @Test
    void runsShowEachLiveEntryOnce() {
        LeafRun run = new LeafRun();
        for (int seed = 0; seed < 300; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            PageImage page = page(random);
            int from = random.nextInt(page.count() + 1);
            int to = from + random.nextInt(page.count() + 1 - from);
            boolean ascending = random.nextBoolean();
            int step = ascending ? 1 : -1;
            int at = ascending ? from : to - 1;
            int stop = ascending ? to : from - 1;
            int expected = at;
            while (at != stop) {
                at = run.fill(page, at, stop);
                boolean single = run.left() == 1;
                for (; run.next(); expected += step) {
                    while (page.isTombstone(expected)) {
                        expected += step;
                    }
                    assertThat(run.isReference() && !single).isFalse();
                    assertShows(run, page, expected, "seed=" + seed);
                }
                for (; expected != at; expected += step) {
                    assertThat(page.isTombstone(expected)).as("seed=" + seed).isTrue();
                }
                assertThat(run.newestTime()).as("seed=" + seed).isEqualTo(newest(page));
            }
            assertThat(expected).as("seed=" + seed).isEqualTo(stop);
        }
    }

    /** What has expired is passed over as tombstones are, in either direction. */
    @Test
    void runsPassOverWhatHasExpired() {
        for (int seed = 0; seed < 300; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            PageImage page = page(random);
            long asOf = page.count() == 0 ? 0 : page.expiryMillis(random.nextInt(page.count()));
            asOf = Math.min(asOf, Expiry.NEVER - 1);
            LeafRun run = new LeafRun(asOf);
            boolean ascending = random.nextBoolean();
            List<Bytes> found = new ArrayList<>();
            int at = ascending ? 0 : page.count() - 1;
            int stop = ascending ? page.count() : -1;
            while (at != stop) {
                at = run.fill(page, at, stop);
                while (run.next()) {
                    found.add(run.key());
                }
            }
            List<Bytes> live = new ArrayList<>();
            for (int i = 0; i < page.count(); i++) {
                run.look(page, i);
                boolean hidden = page.isTombstone(i) || page.expiryMillis(i) <= asOf;
                assertThat(run.isTombstone()).as("seed=" + seed).isEqualTo(hidden);
                if (!hidden) {
                    live.add(page.key(i));
                }
            }
            assertThat(found).as("seed=" + seed).isEqualTo(ascending ? live : live.reversed());
        }
    }

    private static long newest(PageImage page) {
        return IntStream.range(0, page.count()).mapToLong(page::time).max().orElseThrow();
    }

    @Test
    void aRecordFromElsewhereIsForgottenAtTheNextLeaf() {
        LeafRun run = new LeafRun();
        run.hold(Bytes.utf8("key"), Bytes.utf8("payload"), true, 5, null);
        assertThat(run.next()).isTrue();
        assertThat(run.key()).isEqualTo(Bytes.utf8("key"));
        assertThat(run.payload()).isEqualTo(Bytes.utf8("payload"));
        assertThat(run.isReference()).isTrue();
        assertThat(run.soonestExpiryMillis()).isEqualTo(5);
        PageImage page = leaf(3, 1, 10);
        assertThat(run.fill(page, 0, 3)).isEqualTo(3);
        assertThat(run.left()).isEqualTo(3);
        assertThat(run.isReference()).isFalse();
        assertThat(run.soonestExpiryMillis()).isEqualTo(Expiry.NEVER);
        while (run.left() > 0) {
            run.next();
        }
        assertThat(run.key()).isEqualTo(page.key(2));
    }

    @Test
    void itRefusesPlacesOutsideThePage() {
        LeafRun run = new LeafRun();
        assertThatThrownBy(() -> run.look(leaf(3, 1, 10), 3)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> run.look(leaf(3, 1, 10), -1)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    /** A key is not copied where a prefix would save next to nothing; otherwise the prefix makes the page smaller. */
    @Test
    void keysWithLittleInCommonAreStoredWhole() {
        assertThat(isSlice(leaf(100, 1, 100))).isTrue();
        assertThat(isSlice(leaf(100, 8, 100))).isFalse();
        assertThat(isSlice(leaf(100, 1, 0))).isFalse();
        assertThat(leaf(100, 8, 100).bytes().length())
                .isEqualTo(leaf(100, 0, 100).bytes().length() + 8);
    }

    private static boolean isSlice(PageImage leaf) {
        LeafRun run = new LeafRun();
        run.look(leaf, leaf.count() - 1);
        return run.key().array() == leaf.bytes().array();
    }

    /** Keys of so many bytes that all have, and of 4 more. */
    private static PageImage leaf(int count, int shared, int payloadBytes) {
        TreeMap<Bytes, SamplePages.Value> records = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            byte[] key = new byte[shared + 4];
            key[shared] = (byte) i;
            records.put(
                    Bytes.wrap(key),
                    new SamplePages.Value(Bytes.wrap(new byte[payloadBytes]), SamplePages.stamp(1, 1, 1)));
        }
        return SamplePages.leaf(SamplePages.header(PageKind.LEAF, 0), records);
    }
}
