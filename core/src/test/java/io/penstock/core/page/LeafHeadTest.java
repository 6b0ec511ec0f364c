package io.penstock.core.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.PageId;
import io.penstock.core.overflow.OverflowParts;
import io.penstock.core.overflow.OverflowReference;
import org.junit.jupiter.api.Test;

/** Large leaves carry blocks, and each version its own. */
class LeafHeadTest {
    private static final PageId ID = SamplePages.ID;
    private static final int RECORDS = 1_000;

    @Test
    void largeLeavesHaveBlocksAndSmallOnesHaveNone() {
        PageImage page = SamplePages.large(1, RECORDS);
        LeafHead head = LeafHead.of(page.bytes(), ID).orElseThrow();
        assertThat(head.blocks()).isBetween(12, 18);
        assertThat(head.length()).isLessThan(1_000);
        PageImage again = PageImage.decode(page.bytes(), ID, "x");
        assertThat(again.header()).isEqualTo(page.header());
        PageImage small = SamplePages.large(1, 100);
        assertThat(small.header().extension().isEmpty()).isTrue();
        assertThat(LeafHead.of(small.bytes(), ID)).isEmpty();
    }

    @Test
    void theNextVersionHasBlocksOfItsOwnAndKeepsOtherFields() {
        Bytes other = Bytes.wrap(new byte[] {9, 2, 5, 6});
        PageImage page = SamplePages.large(1, RECORDS);
        PageHeader next = page.header()
                .withExtension(other.concat(page.header().extension()))
                .next(4711, 5);
        LeafEntries.Builder builder = LeafEntries.builder(page);
        builder.keep(0, 700);
        PageImage second = builder.build().layout(next, 0, 700).encode();
        LeafHead head = LeafHead.of(second.bytes(), ID).orElseThrow();
        assertThat(head.version()).isEqualTo(2);
        assertThat(second.header().extension().slice(0, 4)).isEqualTo(other);
        LeafEntries.Builder few = LeafEntries.builder(second);
        few.keep(0, 50);
        PageImage third =
                few.build().layout(second.header().next(4712, 6), 0, 50).encode();
        assertThat(third.header().extension()).isEqualTo(other);
        assertThat(second.header().asInner(1).extension()).isEqualTo(other);
    }

    /** One large payload elsewhere makes a page format 2; its parts are as readable as before. */
    @Test
    void leavesWithReferencesAreReadInPartsToo() {
        PageImage page = SamplePages.large(1, RECORDS);
        LeafEntries.Builder builder = LeafEntries.builder(page);
        builder.keep(0, 700);
        Bytes key = page.key(699).concat(Bytes.utf8("x"));
        builder.put(
                key,
                OverflowParts.of(new OverflowReference(new ClientId(1), 2, 3)).encode(),
                true,
                Expiry.NEVER,
                page.stamp(0));
        LeafEntries entries = builder.build();
        PageImage second =
                entries.layout(page.header().next(4711, 5), 0, entries.count()).encode();
        assertThat(PageFormat.u16(second.bytes().array(), PageFormat.AT_FORMAT)).isEqualTo(PageFormat.VERSION);
        LeafHead head = LeafHead.of(second.bytes(), ID).orElseThrow();
        int last = head.blocks() - 1;
        LeafHead.Range slots = head.slots(last, last + 1);
        LeafHead.Range heap = head.heap(last, last + 1);
        PageImage part = head.excerpt(last, last + 1, slice(second, slots), slice(second, heap), "x")
                .orElseThrow();
        assertThat(part.isReference(part.count() - 1)).isTrue();
    }

    private static Bytes slice(PageImage page, LeafHead.Range range) {
        return page.bytes().slice((int) range.offset(), (int) range.offset() + range.length());
    }
}
