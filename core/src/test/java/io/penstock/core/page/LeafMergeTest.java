package io.penstock.core.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.PageId;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import org.junit.jupiter.api.Test;

/** The headers of leaves that are retired and taken over. */
class LeafMergeTest {
    private static final TreeId TREE = new TreeId(7);

    private static PageHeader header(long number) {
        return PageHeader.of(new PageId(TREE, number), PageKind.LEAF, 0, 3, 11);
    }

    private static PageImage stored(PageHeader header, String... keys) {
        LeafEntries.Builder entries = LeafEntries.builder(null);
        for (String key : keys) {
            entries.put(Bytes.utf8(key), Bytes.utf8("payload of " + key), Stamp.of(5, 0, new ClientId(1)));
        }
        PageImage image = entries.build().layout(header, 0, keys.length).encode();
        return PageImage.decode(image.bytes(), header.id(), "test");
    }

    @Test
    void aRetiredLeafKeepsItsEntriesAndItsLowerBound() {
        PageImage image = stored(header(5).withRight(9, Bytes.utf8("p")).retired(Bytes.utf8("k")), "l", "m");
        assertThat(image.isRetired()).isTrue();
        assertThat(image.isLeaf()).isTrue();
        assertThat(image.header().retiredLow()).isEqualTo(Bytes.utf8("k"));
        assertThat(image.header().takeover()).isEmpty();
        assertThat(image.payload(image.find(Bytes.utf8("m")))).isEqualTo(Bytes.utf8("payload of m"));
        assertThat(image.header().coversAs(header(5).withRight(9, Bytes.utf8("p"))))
                .as("nobody takes it for a leaf to be written")
                .isFalse();
    }

    @Test
    void aLeafThatTookOverKeysSaysSoAndSoDoPagesSplitFromIt() {
        PageHeader retired = header(5).withRight(9, Bytes.utf8("p")).retired(Bytes.utf8("k"));
        PageHeader header = header(4).withRight(5, Bytes.utf8("k")).takingOver(retired, 1234);
        PageImage image = stored(header, "b", "l");
        assertThat(image.header().takeover()).contains(new LeafMerge(new Origin(5, 3), 1234));
        assertThat(image.header().right()).isEqualTo(9);
        assertThat(image.header().highKey()).isEqualTo(Bytes.utf8("p"));
        assertThat(header.splitOff(77, 1, 2).takeover()).contains(new LeafMerge(new Origin(5, 3), 1234));
        assertThat(header(4).takeover()).isEmpty();
    }
}
