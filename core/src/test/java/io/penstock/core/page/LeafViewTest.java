package io.penstock.core.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class LeafViewTest {
    private static final int LOOKS = 300;

    private static void assertShows(LeafView view, PageImage page, int index, String as) {
        view.look(index);
        assertThat(view.key()).as(as).isEqualTo(page.key(index));
        assertThat(view.payload()).as(as).isEqualTo(page.payload(index));
        assertThat(view.isTombstone()).as(as).isEqualTo(page.isTombstone(index));
        assertThat(view.isReference()).as(as).isEqualTo(page.isReference(index));
        assertThat(view.stamp()).as(as).isEqualTo(page.stamp(index));
        assertThat(view.time()).as(as).isEqualTo(page.time(index));
        assertThat(view.isOlderThan(SamplePages.stamp(2_000, 1, 7)))
                .as(as)
                .isEqualTo(page.isNewer(SamplePages.stamp(2_000, 1, 7), index));
    }

    /** Both ways and to and fro, on one leaf after the other. */
    @Test
    void itShowsWhatThePageSays() {
        LeafView view = new LeafView();
        for (int seed = 0; seed < 100; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            PageImage page = SamplePages.leaf(
                    SamplePages.header(PageKind.LEAF, 0), SamplePages.records(random, random.nextInt(200), 300));
            view.enter(page);
            for (int i = 0; i < page.count(); i++) {
                assertShows(view, page, i, "seed=" + seed);
            }
            for (int i = page.count() - 1; i >= 0; i--) {
                assertShows(view, page, i, "seed=" + seed);
            }
            for (int i = 0; i < LOOKS && page.count() > 0; i++) {
                assertShows(view, page, random.nextInt(page.count()), "seed=" + seed);
            }
        }
    }

    @Test
    void itRefusesWhatIsNotThere() {
        LeafView view = new LeafView();
        assertThatThrownBy(() -> view.look(0)).isInstanceOf(IllegalStateException.class);
        view.enter(leaf(3, 1, 10));
        assertThatThrownBy(() -> view.look(3)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> view.look(-1)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    /** Nothing is copied for a key where a prefix would save next to nothing; else the page is the smaller for it. */
    @Test
    void keysWithLittleInCommonStandWhole() {
        assertThat(isSlice(leaf(100, 1, 100))).isTrue();
        assertThat(isSlice(leaf(100, 8, 100))).isFalse();
        assertThat(isSlice(leaf(100, 1, 0))).isFalse();
        assertThat(leaf(100, 8, 100).bytes().length())
                .isEqualTo(leaf(100, 0, 100).bytes().length() + 8);
    }

    private static boolean isSlice(PageImage leaf) {
        LeafView view = new LeafView();
        view.enter(leaf);
        view.look(leaf.count() - 1);
        return view.key().array() == leaf.bytes().array();
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
