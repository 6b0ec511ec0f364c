package io.penstock.btree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.PageId;
import io.penstock.core.memory.Workspace;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.page.InnerEntries;
import io.penstock.core.page.LeafEntries;
import io.penstock.core.page.LedgerPages;
import io.penstock.core.page.NodeEntries;
import io.penstock.core.page.Origin;
import io.penstock.core.page.PageHeader;
import io.penstock.core.page.PageKind;
import io.penstock.core.record.Direction;
import io.penstock.core.record.KeyRange;
import io.penstock.core.record.RecordChange;
import io.penstock.testing.InlineTasks;
import io.penstock.testing.MemoryObjectStore;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Pages that are sound one by one and make no tree: every operation ends, and says so. */
class OddTreesTest {
    private final MemoryObjectStore store = new MemoryObjectStore();
    private final InlineTasks tasks = new InlineTasks(1);

    private Client newClient() {
        return new Client(store, TreeSettings.DEFAULT, tasks);
    }

    private void put(PageHeader header, NodeEntries entries) {
        newClient().pages.put(entries.layout(header, 0, entries.count()).encode(), WriteCondition.ALWAYS);
    }

    private static PageHeader header(long number, int level, long right, @Nullable String high) {
        PageKind kind = level == 0 ? PageKind.LEAF : PageKind.INNER;
        Bytes bound = high == null ? null : Bytes.utf8(high);
        return new PageHeader(
                new PageId(Client.TREE, number), kind, level, 5, number, right, bound, Origin.NONE, 0, Bytes.EMPTY);
    }

    private void leaf(PageHeader header, String... keys) {
        LeafEntries.Builder entries = LeafEntries.builder(null);
        for (String key : keys) {
            entries.put(Bytes.utf8(key), Bytes.EMPTY, Client.stamp(1, 1));
        }
        put(header, entries.build());
    }

    private void root(Object... separatorsAndChildren) {
        List<InnerEntries.Entry> entries = new ArrayList<>();
        for (int i = 0; i < separatorsAndChildren.length; i += 2) {
            entries.add(new InnerEntries.Entry(
                    Bytes.utf8((String) separatorsAndChildren[i]), (Integer) separatorsAndChildren[i + 1]));
        }
        put(header(PageId.ROOT, 1, PageId.NONE, null), InnerEntries.of(entries));
    }

    private void assertRefused(Runnable operation) {
        assertThatThrownBy(operation::run).isInstanceOf(CorruptDataException.class);
    }

    private void readAndWrite(String key) {
        assertRefused(() -> newClient().records.find(Bytes.utf8(key)));
        assertRefused(() -> newClient().scan(KeyRange.all(), Direction.ASCENDING));
        assertRefused(() -> newClient().scan(KeyRange.all(), Direction.DESCENDING));
        assertRefused(() ->
                newClient().apply(List.of(new RecordChange.Put(Bytes.utf8(key), Bytes.EMPTY, Client.stamp(2, 1)))));
    }

    @Test
    void theFirstLeafIsRetired() {
        leaf(header(10, 0, 20, "g").retired(Bytes.EMPTY), "a", "c");
        leaf(header(20, 0, PageId.NONE, null), "g", "k");
        root("", 10, "g", 20);
        readAndWrite("b");
    }

    @Test
    void theRootIsRetired() {
        leaf(header(PageId.ROOT, 0, PageId.NONE, null).retired(Bytes.utf8("x")), "a");
        readAndWrite("a");
    }

    /** It would read as an empty tree. */
    @Test
    void theRootIsALedger() {
        PageHeader header = PageHeader.of(PageId.root(Client.TREE), PageKind.LEDGER, 0, 9, 77);
        newClient().pages.put(LedgerPages.encode(header, Bytes.utf8("x")), WriteCondition.ALWAYS);
        readAndWrite("a");
    }

    @Test
    void aScanBackwardsDoesNotComeToTheFirstSeparator() {
        leaf(header(10, 0, 20, "p"), "a", "c", "n");
        leaf(header(20, 0, PageId.NONE, null), "p", "z");
        root("m", 10, "p", 20);
        assertRefused(() -> newClient().scan(KeyRange.all(), Direction.DESCENDING));
    }

    @Test
    void retiredLeavesLinkToEachOther() {
        leaf(header(10, 0, 20, "g"), "a", "c");
        leaf(header(20, 0, 30, "k").retired(Bytes.utf8("g")), "g", "h");
        leaf(header(30, 0, 20, "p").retired(Bytes.utf8("k")), "k", "l");
        root("", 10, "g", 20, "k", 30);
        TreeGarbage garbage =
                new TreeGarbage(newClient().pages, Client.TREE, TreeSettings.DEFAULT, Workspace.standard(tasks));
        assertRefused(() -> garbage.walk(page -> {}, number -> {}));
    }

    /** Each level would name the next one, which is the same page. */
    @Test
    void aPageIsItsOwnChild() {
        put(header(10, 1, PageId.NONE, null), InnerEntries.of(List.of(new InnerEntries.Entry(Bytes.EMPTY, 10))));
        root("", 10);
        TreeGarbage garbage =
                new TreeGarbage(newClient().pages, Client.TREE, TreeSettings.DEFAULT, Workspace.standard(tasks));
        assertRefused(() -> garbage.walk(page -> {}, number -> {}));
        assertThat(newClient().check().violations()).isNotEmpty();
    }

    @Test
    void anInnerPageIsWhereALeafShouldBe() {
        put(header(10, 2, PageId.NONE, null), InnerEntries.of(List.of(new InnerEntries.Entry(Bytes.EMPTY, 20))));
        root("", 10);
        assertRefused(() -> new TreeCompaction(
                        newClient().pages,
                        Client.TREE,
                        TreeSettings.DEFAULT,
                        Workspace.standard(tasks),
                        TreeCompaction.Choices.USUAL)
                .run());
    }
}
