package io.penstock.btree;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.penstock.btree.TreeReport.Violation;
import io.penstock.core.Bytes;
import io.penstock.core.ErrorCode;
import io.penstock.core.PageId;
import io.penstock.core.memory.Workspace;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.page.InnerEntries;
import io.penstock.core.page.LeafEntries;
import io.penstock.core.page.NodeEntries;
import io.penstock.core.page.Origin;
import io.penstock.core.page.PageHeader;
import io.penstock.core.page.PageKind;
import io.penstock.core.record.RecordChange;
import io.penstock.core.task.Tasks;
import io.penstock.testing.InlineTasks;
import io.penstock.testing.MemoryObjectStore;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A checker that finds nothing is worth nothing: each kind of damage, planted, is reported. */
class TreeCheckTest {
    private final MemoryObjectStore store = new MemoryObjectStore();
    private final Client client = new Client(store, TreeSettings.DEFAULT, new InlineTasks(1));

    /** A root over three leaves: 10 = [, g), 20 = [g, p), 30 = [p, ). */
    TreeCheckTest() {
        leaf(10, 20, "g", "a", "c");
        leaf(20, 30, "p", "g", "k");
        leaf(30, PageId.NONE, null, "p", "z");
        root("", 10, "g", 20, "p", 30);
    }

    private void put(PageHeader header, NodeEntries entries) {
        client.pages.put(entries.layout(header, 0, entries.count()).encode(), WriteCondition.ALWAYS);
    }

    private static PageHeader header(
            long number, PageKind kind, int level, long right, @Nullable String high, Origin origin) {
        return new PageHeader(
                new PageId(Client.TREE, number),
                kind,
                level,
                5,
                number,
                right,
                high == null ? null : Bytes.utf8(high),
                origin,
                0,
                Bytes.EMPTY);
    }

    private void leaf(long number, long right, @Nullable String high, String... keys) {
        leaf(header(number, PageKind.LEAF, 0, right, high, Origin.NONE), keys);
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
        put(header(PageId.ROOT, PageKind.INNER, 1, PageId.NONE, null, Origin.NONE), InnerEntries.of(entries));
    }

    private void assertFinds(String rule) {
        assertThat(client.check().violations()).extracting(Violation::rule).contains(rule);
    }

    @Test
    void aSoundTreeIsSound() {
        TreeReport report = client.assertSound("sound");
        assertThat(report.notes()).isEmpty();
        assertThat(report.records()).isEqualTo(6);
        assertThat(report.pages()).isEqualTo(4);
        assertThat(report.levels()).hasSize(2);
    }

    /** The levels grew while a list of them was gone through; and what is below was not looked at. */
    @Test
    void aLevelThatOnlyALaterPageShowsIsChecked() {
        List<InnerEntries.Entry> below =
                List.of(new InnerEntries.Entry(Bytes.utf8("g"), 20), new InnerEntries.Entry(Bytes.utf8("p"), 31));
        leaf(20, 31, "p", "g", "k");
        put(header(50, PageKind.INNER, 1, PageId.NONE, null, Origin.NONE), InnerEntries.of(below));
        List<InnerEntries.Entry> above =
                List.of(new InnerEntries.Entry(Bytes.EMPTY, 40), new InnerEntries.Entry(Bytes.utf8("g"), 50));
        put(header(PageId.ROOT, PageKind.INNER, 2, PageId.NONE, null, Origin.NONE), InnerEntries.of(above));
        TreeReport report = client.check();
        assertThat(report.violations())
                .extracting(Violation::page, Violation::rule)
                .contains(tuple(new PageId(Client.TREE, 40), "a page that is named exists"))
                .contains(tuple(new PageId(Client.TREE, 31), "a page that is named exists"));
        assertThat(report.levels()).hasSize(3);
        assertThat(report.records()).isEqualTo(2);
    }

    /** What it has met goes to temporary files then, and what is wrong is found all the same. */
    @Test
    void aCheckInLittleMemoryFindsTheSame() {
        MemoryObjectStore large = new MemoryObjectStore();
        TreeSettings small = TreeSettings.DEFAULT.withPageBytes(1 << 10);
        Client writer = new Client(large, small, new InlineTasks(1));
        List<RecordChange> changes = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
            changes.add(new RecordChange.Put(Client.key(i), Bytes.wrap(new byte[40]), Client.stamp(1, 1)));
        }
        writer.apply(changes);
        Tasks tasks = new InlineTasks(2);
        WatchedObjects watched = new WatchedObjects(large);
        Client reader = new Client(watched, small, tasks);
        TreeReport report = TreeCheck.run(reader.pages, Client.TREE, Workspace.standard(tasks));
        int[] seen = {0};
        int before = watched.reads();
        TreeReport again = TreeCheck.run(
                reader.pages,
                Client.TREE,
                new Workspace(tasks, 1 << 10),
                page -> assertThat(watched.reads() - before - seen[0]++).isLessThanOrEqualTo(6));
        assertThat(again).isEqualTo(report);
        assertThat(report.violations()).isEmpty();
        assertThat(report.pages()).isEqualTo(seen[0]).isGreaterThan(100);
    }

    @Test
    void aTreeWithoutPagesIsSound() {
        TreeReport report = new Client(new MemoryObjectStore(), TreeSettings.DEFAULT, new InlineTasks(1)).check();
        assertThat(report.isSound()).isTrue();
        assertThat(report.records()).isZero();
    }

    @Test
    void aMissingParentEntryIsANote() {
        root("", 10, "p", 30);
        assertThat(client.assertSound("note").notes()).hasSize(1);
    }

    @Test
    void aKeyBelowTheLowerBoundIsFound() {
        leaf(20, 30, "p", "b", "k");
        assertFinds("keys are not below the lower bound");
    }

    @Test
    void aWrongSeparatorIsFound() {
        root("", 10, "h", 20, "p", 30);
        assertFinds("the parent's separator is the child's lower bound");
    }

    @Test
    void aMissingPageIsFound() {
        store.delete(client.pages.objectKey(new PageId(Client.TREE, 20)));
        assertFinds("a page that is named exists");
    }

    @Test
    void aDamagedPageIsFound() {
        store.put(client.pages.objectKey(new PageId(Client.TREE, 20)), Bytes.utf8("rubbish"), WriteCondition.ALWAYS);
        assertFinds("a page is readable");
    }

    @Test
    void aSkippedSiblingIsFound() {
        leaf(10, 30, "g", "a", "c");
        assertFinds("siblings have the order of their parents' entries");
    }

    @Test
    void aChainThatEndsEarlyIsFound() {
        leaf(20, PageId.NONE, null, "g", "k");
        assertFinds("the sibling chain has every child of the level above");
    }

    @Test
    void aCycleIsFound() {
        leaf(30, 10, "zz", "p", "z");
        assertFinds("a page is reached once");
    }

    @Test
    void aWrongLevelIsFound() {
        put(
                header(20, PageKind.INNER, 1, 30, "p", Origin.NONE),
                InnerEntries.of(List.of(new InnerEntries.Entry(Bytes.utf8("g"), 10))));
        assertFinds("a page is one level below its parent");
    }

    @Test
    void anOriginThatHasNotMovedOnIsFound() {
        leaf(header(20, PageKind.LEAF, 0, 30, "p", new Origin(10, 5)), "g", "k");
        assertFinds("the origin has moved past the version of the split");
    }

    @Test
    void anOriginThatIsGoneIsNoFault() {
        leaf(header(20, PageKind.LEAF, 0, 30, "p", new Origin(77, 4)), "g", "k");
        assertThat(client.assertSound("origin").notes()).isEmpty();
    }

    @Test
    void aDescentRefusesWhatDoesNotFit() {
        leaf(10, 20, "g", "a", "c");
        store.delete(client.pages.objectKey(new PageId(Client.TREE, 20)));
        client.pool.clear();
        org.assertj.core.api.Assertions.assertThatThrownBy(() -> client.records.find(Bytes.utf8("h")))
                .isInstanceOf(io.penstock.core.CorruptDataException.class)
                .is(code(ErrorCode.PAGE_DAMAGED));
    }

    @Test
    void aCycleOfSiblingsEndsADescent() {
        leaf(10, 20, "g", "a");
        leaf(20, 10, "h", "g");
        root("", 10);
        client.pool.clear();
        org.assertj.core.api.Assertions.assertThatThrownBy(() -> client.records.find(Bytes.utf8("x")))
                .isInstanceOf(io.penstock.core.CorruptDataException.class)
                .is(code(ErrorCode.PAGE_DAMAGED));
    }

    @Test
    void aCheckOfAChildThatIsNamedTwiceEnds() {
        root("", 10, "g", 20, "k", 20, "p", 30);
        assertThat(client.check().violations()).isNotEmpty();
        root("", 10, "g", 20, "p", 30, "x", 20);
        assertThat(client.check().violations()).isNotEmpty();
    }
}
