package io.penstock.btree;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.btree.TreeGarbage.Verdict;
import io.penstock.core.Bytes;
import io.penstock.core.PageId;
import io.penstock.core.StoreException;
import io.penstock.core.UnavailableException;
import io.penstock.core.memory.Workspace;
import io.penstock.core.object.Listing;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.page.LeafEntries;
import io.penstock.core.page.LedgerPages;
import io.penstock.core.page.PageHeader;
import io.penstock.core.page.PageKind;
import io.penstock.core.record.Direction;
import io.penstock.core.record.KeyRange;
import io.penstock.core.record.RecordChange;
import io.penstock.testing.InlineTasks;
import io.penstock.testing.MemoryObjectStore;
import io.penstock.testing.MemoryObjectStore.Call;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Orphan pages are found and removed, and no other page, whatever a writer does between two calls of a collector. */
class TreeGarbageTest {
    private static final TreeSettings SMALL =
            TreeSettings.DEFAULT.withPageBytes(512).withParallelWidth(3).withAttemptsMax(64);

    private static RecordChange put(int number, String payload, int time) {
        return new RecordChange.Put(
                Client.key(number), Bytes.utf8(payload), Client.stamp(1_700_000_000_000L + time, 1));
    }

    private static List<RecordChange> puts(int from, int count, int step, String payload, int time) {
        List<RecordChange> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(put(from + i * step, payload, time));
        }
        return all;
    }

    private static MemoryObjectStore loaded() {
        MemoryObjectStore store = new MemoryObjectStore();
        new Client(store, SMALL, new InlineTasks(1)).apply(puts(0, 200, 10, "first", 1));
        return store;
    }

    private static Set<Long> listed(MemoryObjectStore store, Client client) {
        Set<Long> numbers = new HashSet<>();
        for (Listing.Entry entry : store.list("test/pages/", "", 1_000_000).entries()) {
            client.pages.pageAt(entry.key()).ifPresent(page -> numbers.add(page.number()));
        }
        return numbers;
    }

    private static Map<Verdict, Set<Long>> collect(MemoryObjectStore store) {
        Client client = new Client(store, SMALL, new InlineTasks(99));
        TreeGarbage garbage =
                new TreeGarbage(client.pages, Client.TREE, SMALL, Workspace.standard(new InlineTasks(98)));
        Set<Long> suspects = listed(store, client);
        garbage.walk(page -> {}, suspects::remove);
        return garbage.remove(suspects, List.of());
    }

    private static void assertNothingLeft(MemoryObjectStore store, TreeMap<Bytes, RecordChange> oracle, String what) {
        Client reader = new Client(store, SMALL, new InlineTasks(97));
        TreeReport report = reader.assertSound(what);
        reader.assertEquals(oracle, what);
        assertThat(report.pages()).as(what).isEqualTo(listed(store, reader).size());
    }

    @Test
    void aWriterPausedBeforeAnyPutLosesNothing() {
        MemoryObjectStore base = loaded();
        List<RecordChange> second = puts(500, 150, 1, "second-and-longer", 2);
        TreeMap<Bytes, RecordChange> oracle = new TreeMap<>();
        Client.merge(oracle, puts(0, 200, 10, "first", 1));
        Client.merge(oracle, second);
        int collected = 0;
        for (int n = 1; ; n++) {
            MemoryObjectStore store = base.copy();
            int[] removed = {-1};
            store.setHook(Client.before(
                    n,
                    true,
                    () -> removed[0] = collect(store).get(Verdict.ORPHAN).size()));
            new Client(store, SMALL, new InlineTasks(n)).apply(second);
            store.clearHook();
            if (removed[0] < 0) {
                break;
            }
            collected += removed[0];
            collect(store);
            assertNothingLeft(store, oracle, "put=" + n);
        }
        assertThat(collected).isGreaterThan(10);
    }

    @Test
    void aCollectorPausedBeforeAnyCallHarmsNobody() {
        MemoryObjectStore base = loaded();
        List<RecordChange> second = puts(500, 60, 1, "second-and-longer", 2);
        crash(base, second, 3);
        TreeMap<Bytes, RecordChange> oracle = new TreeMap<>();
        Client.merge(oracle, puts(0, 200, 10, "first", 1));
        Client.merge(oracle, second);
        for (int n = 1; ; n++) {
            MemoryObjectStore store = base.copy();
            boolean[] done = new boolean[1];
            Client writer = new Client(store, SMALL, new InlineTasks(n));
            store.setHook(Client.before(n, false, () -> {
                writer.apply(second);
                done[0] = true;
            }));
            collect(store);
            store.clearHook();
            if (!done[0]) {
                assertThat(n).isGreaterThan(20);
                break;
            }
            collect(store);
            assertNothingLeft(store, oracle, "call=" + n);
        }
    }

    /** The writer stops before its n-th put, for good. */
    private static void crash(MemoryObjectStore store, List<RecordChange> changes, int n) {
        store.setHook(new MemoryObjectStore.Hook() {
            private int puts;

            @Override
            public void before(Call call, String key) {
                puts += call == Call.PUT ? 1 : 0;
                if (puts >= n) {
                    throw new UnavailableException("the client is dead");
                }
            }
        });
        try {
            new Client(store, SMALL.withParallelWidth(1), new InlineTasks(n)).apply(changes);
        } catch (StoreException dead) {
            // As it should be.
        }
        store.clearHook();
    }

    @Test
    void aCollectorThatStopsAnywhereIsFollowedByAnother() {
        MemoryObjectStore base = loaded();
        crash(base, puts(500, 60, 1, "second-and-longer", 2), 3);
        TreeMap<Bytes, RecordChange> oracle = new TreeMap<>();
        Client.merge(oracle, puts(0, 200, 10, "first", 1));
        boolean stopped = true;
        for (int n = 1; stopped; n++) {
            MemoryObjectStore store = base.copy();
            store.setHook(Client.before(n, false, () -> {
                throw new UnavailableException("the collector is dead");
            }));
            try {
                collect(store);
                stopped = false;
            } catch (UnavailableException dead) {
                store.clearHook();
            }
            store.clearHook();
            collect(store);
            assertNothingLeft(store, oracle, "call=" + n);
        }
    }

    @Test
    void aFirstWriteThatNeverPutTheRootIsCleared() {
        MemoryObjectStore store = new MemoryObjectStore();
        crash(store, puts(0, 60, 1, "first", 1), 3);
        assertThat(store.size()).isEqualTo(2);
        assertThat(collect(store).get(Verdict.ORPHAN)).hasSize(2);
        assertNothingLeft(store, new TreeMap<>(), "empty");
        assertThat(store.size()).isEqualTo(2);
    }

    @Test
    void aFirstWritePausedBeforeTheRootIsDoneAgain() {
        MemoryObjectStore store = new MemoryObjectStore();
        List<RecordChange> first = puts(0, 60, 1, "first", 1);
        int[] puts = {0};
        store.setHook(new MemoryObjectStore.Hook() {
            @Override
            public void before(Call call, String key) {
                if (call == Call.PUT && key.endsWith("0001") && puts[0]++ == 0) {
                    assertThat(collect(store).get(Verdict.ORPHAN)).isNotEmpty();
                }
            }
        });
        new Client(store, SMALL, new InlineTasks(1)).apply(first);
        store.clearHook();
        TreeMap<Bytes, RecordChange> oracle = new TreeMap<>();
        Client.merge(oracle, first);
        assertNothingLeft(store, oracle, "root");
    }

    @Test
    void aPageThatOnlyItsLeftSiblingKnowsStays() {
        MemoryObjectStore base = loaded();
        TreeReport before;
        int puts = 1;
        MemoryObjectStore store;
        do {
            store = base.copy();
            crash(store, puts(500, 30, 1, "second", 2), ++puts);
            before = new Client(store, SMALL, new InlineTasks(5)).assertSound("puts=" + puts);
        } while (before.notes().isEmpty());
        collect(store);
        TreeReport after = new Client(store, SMALL, new InlineTasks(6)).assertSound("puts=" + puts);
        assertThat(after.notes()).hasSameSizeAs(before.notes());
        assertThat(after.pages()).isEqualTo(before.pages()).isEqualTo(store.size() - 1);
    }

    @Test
    void ledgersAndPagesOfUnknownMakingStay() {
        MemoryObjectStore store = loaded();
        Client client = new Client(store, SMALL, new InlineTasks(5));
        PageId home = new PageId(Client.TREE, 77);
        client.pages.put(
                LedgerPages.encode(PageHeader.of(home, PageKind.LEDGER, 0, 1, 5), Bytes.utf8("ledger")),
                WriteCondition.IF_ABSENT);
        PageId strange = new PageId(Client.TREE, 78);
        PageHeader header = PageHeader.of(strange, PageKind.LEAF, 0, 1, 6);
        client.pages.put(LeafEntries.builder(null).build().layout(header, 0, 0).encode(), WriteCondition.IF_ABSENT);
        store.put(client.pages.objectKey(new PageId(Client.TREE, 79)), Bytes.utf8("?"), WriteCondition.IF_ABSENT);
        Map<Verdict, Set<Long>> verdicts = collect(store);
        assertThat(verdicts)
                .containsEntry(Verdict.LEDGER, Set.of(77L))
                .containsEntry(Verdict.NO_ORIGIN, Set.of(78L))
                .containsEntry(Verdict.UNREADABLE, Set.of(79L))
                .containsEntry(Verdict.ORPHAN, Set.of());
    }

    /**
     * A writer has died in a split of a leaf, which was written since, and another one is in a split of it: the leaf is
     * fenced against the newer of the two.
     */
    @Test
    void aSplitThatFollowsAnUnfinishedOneLosesNothing() {
        MemoryObjectStore base = loaded();
        crash(base, puts(500, 60, 1, "second-and-longer", 2), 3);
        List<RecordChange> touch = List.of(put(500, "touch", 3));
        new Client(base, SMALL, new InlineTasks(1007)).apply(touch);
        List<RecordChange> third = puts(500, 60, 1, "third-and-longer", 4);
        TreeMap<Bytes, RecordChange> oracle = new TreeMap<>();
        Client.merge(oracle, puts(0, 200, 10, "first", 1));
        Client.merge(oracle, third);
        for (int n = 1; ; n++) {
            MemoryObjectStore store = base.copy();
            boolean[] collected = new boolean[1];
            store.setHook(Client.before(n, true, () -> {
                collect(store);
                collected[0] = true;
            }));
            new Client(store, SMALL, new InlineTasks(2000 + n)).apply(third);
            store.clearHook();
            collect(store);
            assertNothingLeft(store, oracle, "put=" + n);
            if (!collected[0]) {
                assertThat(n).isGreaterThan(3);
                break;
            }
        }
    }

    /** A leaf is set back to its version before a split; the right half was written since. Nothing of it is garbage. */
    @Test
    void whatWasPartOfTheTreeStaysWhenItsOriginIsSetBack() {
        for (boolean writtenSince : new boolean[] {true, false}) {
            MemoryObjectStore store = loaded();
            Client client = new Client(store, SMALL, new InlineTasks(3));
            Map<String, Bytes> before = bodies(store);
            if (!writtenSince) {
                // The origin moves on once more before the split, so that what is restored is two versions behind.
                client.apply(puts(1995, 1, 1, "x", 2));
            }
            client.apply(puts(2000, 10, 1, "second-and-longer", 2));
            if (writtenSince) {
                client.apply(puts(2000, 10, 1, "third", 3));
            }
            Map<String, Bytes> now = bodies(store);
            before.forEach((key, body) -> store.put(key, body, WriteCondition.ALWAYS));
            assertThat(collect(store)).containsKey(Verdict.SET_BACK);
            now.forEach((key, body) -> {
                if (before.containsKey(key)) {
                    store.put(key, body, WriteCondition.ALWAYS);
                }
            });
            new Client(store, SMALL, new InlineTasks(4)).assertSound("written since " + writtenSince);
        }
    }

    private static Map<String, Bytes> bodies(MemoryObjectStore store) {
        Map<String, Bytes> bodies = new TreeMap<>();
        for (Listing.Entry entry : store.list("test/pages/", "", 1_000_000).entries()) {
            bodies.put(entry.key(), store.get(entry.key()).orElseThrow().body());
        }
        return bodies;
    }

    /** A bulk load that takes longer than the grace age: its youngest page speaks for all. */
    @Test
    void aLongLoadIsLeftAlone() {
        MemoryObjectStore store = new MemoryObjectStore();
        Client client = new Client(store, SMALL, new InlineTasks(1));
        TreeLoader loader = new TreeLoader(client.pages, Client.TREE, SMALL, new InlineTasks(2), 90);
        load(loader, 0, 200);
        Client collector = new Client(store, SMALL, new InlineTasks(3));
        Set<Long> old = listed(store, collector);
        load(loader, 200, 300);
        Set<Long> young = listed(store, collector);
        young.removeAll(old);
        TreeGarbage garbage =
                new TreeGarbage(collector.pages, Client.TREE, SMALL, Workspace.standard(new InlineTasks(4)));
        garbage.walk(page -> {}, old::remove);
        Map<Verdict, Set<Long>> verdicts = garbage.remove(old, List.copyOf(young));
        assertThat(verdicts).containsEntry(Verdict.UNDER_WAY, old).containsEntry(Verdict.ORPHAN, Set.of());
        loader.finish();
        assertThat(new Client(store, SMALL, new InlineTasks(5)).scan(KeyRange.all(), Direction.ASCENDING))
                .hasSize(300);
    }

    private static void load(TreeLoader loader, int from, int to) {
        for (int i = from; i < to; i++) {
            loader.add(Client.key(i), Bytes.utf8("loaded"), false, Client.stamp(1_700_000_000_000L, 1));
        }
    }

    /** The pages of a level together may be larger than the heap. */
    @Test
    void aWalkHoldsFewPagesAtATime() {
        MemoryObjectStore store = loaded();
        new Client(store, SMALL, new InlineTasks(3)).apply(puts(3000, 300, 1, "more of them", 2));
        WatchedObjects watched = new WatchedObjects(store);
        Client client = new Client(watched, SMALL, new InlineTasks(1));
        int[] seen = {0};
        Set<Long> all = new HashSet<>();
        new TreeGarbage(client.pages, Client.TREE, SMALL, Workspace.standard(new InlineTasks(2)))
                .walk(
                        page -> assertThat(watched.reads() - seen[0]++)
                                .as("pages of two levels that are requested ahead")
                                .isLessThanOrEqualTo(2 * (PageReads.WIDTH + 1)),
                        all::add);
        assertThat(all).hasSize(seen[0]).hasSizeGreaterThan(20);
    }
}
