package io.penstock.btree;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Bytes;
import io.penstock.core.PageId;
import io.penstock.core.page.InnerEntries;
import io.penstock.core.page.PageHeader;
import io.penstock.core.page.PageImage;
import io.penstock.core.page.PageKind;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodeEditTest {
    private static final InnerEntries.Entry FIRST = new InnerEntries.Entry(Bytes.EMPTY, 11);
    private static final InnerEntries.Entry SECOND = new InnerEntries.Entry(Bytes.utf8("m"), 12);
    private static final InnerEntries.Entry THIRD = new InnerEntries.Entry(Bytes.utf8("t"), 13);

    private static PageImage inner(List<InnerEntries.Entry> children) {
        PageHeader header = PageHeader.of(PageId.root(Client.TREE), PageKind.INNER, 1, 1, 1);
        return InnerEntries.of(children).layout(header, 0, children.size()).encode();
    }

    /** Without it, keys below the second separator would be led to a leaf that is right of theirs. */
    @Test
    void aFirstChildStaysEvenIfItIsRetired() {
        PageImage node = inner(List.of(FIRST, SECOND, THIRD));
        NodeEdit.Merged merged = new NodeEdit.Unlinks(1).merge(node, List.of(FIRST, SECOND));
        assertThat(merged.entries().count()).isEqualTo(2);
        assertThat(merged.entries().key(0)).isEqualTo(FIRST.separator());
        assertThat(merged.entries().key(1)).isEqualTo(THIRD.separator());
    }
}
