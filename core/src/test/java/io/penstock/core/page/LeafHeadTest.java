package io.penstock.core.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Bytes;
import io.penstock.core.PageId;
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
}
