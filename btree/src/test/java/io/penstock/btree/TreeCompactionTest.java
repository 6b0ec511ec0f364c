package io.penstock.btree;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.PageId;
import io.penstock.core.StoreException;
import io.penstock.core.UnavailableException;
import io.penstock.core.memory.Workspace;
import io.penstock.core.object.Listing;
import io.penstock.core.page.PageImage;
import io.penstock.core.pool.PageFrame;
import io.penstock.core.record.PageIndex;
import io.penstock.core.record.RecordChange;
import io.penstock.testing.InlineTasks;
import io.penstock.testing.MemoryObjectStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tombstones go and leaves are joined, whatever a writer, a reader or a collector does between two calls. */
class TreeCompactionTest {
    private static final TreeSettings SMALL =
            TreeSettings.DEFAULT.withPageBytes(512).withParallelWidth(3).withAttemptsMax(64);

    /** Two months after the epoch of the tests, so that what was deleted at its beginning is old. */
    private static final Duration LATER = Duration.ofDays(60);

    private static final int RECORDS = 240;

    private final TreeMap<Bytes, RecordChange> oracle = new TreeMap<>();

    private static InlineTasks tasks(long seed) {
        InlineTasks tasks = new InlineTasks(seed);
        tasks.advance(LATER);
        return tasks;
    }

    private static Client client(MemoryObjectStore store, long seed) {
        return new Client(store, SMALL, tasks(seed));
    }

    private static RecordChange put(int number, String payload, long millis) {
        return new RecordChange.Put(Client.key(number), Bytes.utf8(payload), Client.stamp(millis, 1));
    }

    /** A tree of which all but every tenth record was deleted long ago. */
    private MemoryObjectStore sparse() {
        long begin = new InlineTasks(0).nowMillis();
        MemoryObjectStore store = new MemoryObjectStore();
        Client loader = new Client(store, SMALL, new InlineTasks(1));
        List<RecordChange> puts = new ArrayList<>();
        List<RecordChange> deletes = new ArrayList<>();
        for (int i = 0; i < RECORDS; i++) {
            puts.add(put(i, "some payload " + i, begin));
            if (i % 10 > 0) {
                deletes.add(new RecordChange.Delete(Client.key(i), Client.stamp(begin + 1, 1)));
            } else {
                Client.merge(oracle, List.of(puts.getLast()));
            }
        }
        loader.apply(puts);
        loader.apply(deletes);
        return store;
    }

    private static TreeCompaction.Result compact(MemoryObjectStore store, long seed) {
        return compact(store, seed, TreeCompaction.JOINED_PERCENT_MAX);
    }

    private static TreeCompaction.Result compact(MemoryObjectStore store, long seed, int percent) {
        Client client = client(store, seed);
        return new TreeCompaction(client.pages, Client.TREE, SMALL, Workspace.standard(tasks(seed)), choices(percent))
                .run();
    }

    private static TreeCompaction.Choices choices(int percent) {
        return new TreeCompaction.Choices(percent, false);
    }

    private static void collect(MemoryObjectStore store) {
        Client client = client(store, 91);
        TreeGarbage garbage = new TreeGarbage(client.pages, Client.TREE, SMALL, Workspace.standard(tasks(92)));
        Set<Long> listed = new HashSet<>();
        for (Listing.Entry entry : store.list("test/pages/", "", 1_000_000).entries()) {
            client.pages.pageAt(entry.key()).map(PageId::number).ifPresent(listed::add);
        }
        garbage.walk(page -> {}, listed::remove);
        garbage.remove(listed, List.of());
    }

    private static void assertIs(MemoryObjectStore store, TreeMap<Bytes, RecordChange> expected, String what) {
        Client reader = client(store, 97);
        reader.assertSound(what);
        reader.assertEquals(expected, what);
    }

    private static List<RecordChange> batch(int from, int count, String payload) {
        List<RecordChange> all = new ArrayList<>();
        long now = tasks(0).nowMillis();
        for (int i = 0; i < count; i++) {
            all.add(put(from + i, payload, now));
        }
        return all;
    }

    @Test
    void sparseLeavesAreJoinedAndTheirPagesGo() {
        MemoryObjectStore store = sparse();
        TreeReport before = client(store, 3).check();
        TreeCompaction.Result result = compact(store, 4);
        assertThat(result.purged()).isEqualTo(before.tombstones()).isPositive();
        assertThat(result.joined()).isGreaterThan(3);
        assertIs(store, oracle, "joined");
        collect(store);
        assertIs(store, oracle, "collected");
        TreeReport after = client(store, 5).check();
        assertThat(after.notes()).isEmpty();
        assertThat(after.tombstones()).isZero();
        assertThat(after.pages()).isEqualTo(before.pages() - result.joined()).isEqualTo(store.size() - 1);
        // Leaves that have taken over another one rest.
        assertThat(compact(store, 6)).isEqualTo(new TreeCompaction.Result(0, 0, 0, 0));
    }

    /** Whether the work stopped, and did not end before its nth put. */
    private static boolean stopsAtPut(MemoryObjectStore store, int n, Runnable work) {
        store.setHook(Client.before(n, true, () -> {
            throw new UnavailableException("the client is dead");
        }));
        try {
            work.run();
            return false;
        } catch (StoreException dead) {
            return true;
        } finally {
            store.clearHook();
        }
    }

    /** A writer that stops before it tells the parents leaves its leaves to be found from the left alone. */
    @Test
    void aParentLearnsOfLeavesThatNobodyToldItOf() {
        boolean stopped = true;
        int noted = 0;
        for (int n = 1; stopped; n++) {
            MemoryObjectStore store = sparse();
            List<RecordChange> more = batch(RECORDS, 60, "more ".repeat(8));
            stopped = stopsAtPut(store, n, () -> client(store, 3).apply(more));
            noted += client(store, 4).check().notes().isEmpty() ? 0 : 1;
            for (int round = 0; round < 4; round++) {
                compact(store, 5 + round);
            }
            TreeReport after = client(store, 9).check();
            assertThat(after.violations()).as("put %s", n).isEmpty();
            assertThat(after.notes())
                    .as("put %s", n)
                    .noneMatch(note -> note.toString().contains("a parent knows its child"));
        }
        assertThat(noted).isGreaterThan(2);
    }

    @Test
    void youngTombstonesStay() {
        MemoryObjectStore store = sparse();
        List<RecordChange> deletes = new ArrayList<>();
        for (int i = 0; i < RECORDS; i += 20) {
            deletes.add(new RecordChange.Delete(Client.key(i), Client.stamp(tasks(0).nowMillis(), 1)));
        }
        client(store, 3).apply(deletes);
        Client.merge(oracle, deletes);
        compact(store, 4);
        assertIs(store, oracle, "young");
    }

    @Test
    void aCompactionPausedBeforeAnyCallHarmsNobody() {
        MemoryObjectStore base = sparse();
        for (int n = 1; ; n++) {
            MemoryObjectStore store = base.copy();
            TreeMap<Bytes, RecordChange> expected = new TreeMap<>(oracle);
            boolean[] done = new boolean[1];
            Client other = client(store, n);
            other.assertEquals(oracle, "before");
            int from = n * 7 % RECORDS;
            store.setHook(Client.before(n, false, () -> {
                other.apply(batch(from, 25, "written in between"));
                Client.merge(expected, batch(from, 25, "written in between"));
                collect(store);
                done[0] = true;
            }));
            compact(store, 4);
            store.clearHook();
            if (!done[0]) {
                assertThat(n).isGreaterThan(40);
                break;
            }
            assertIs(store, expected, "call=" + n);
            other.apply(batch(0, 40, "afterwards"));
            Client.merge(expected, batch(0, 40, "afterwards"));
            collect(store);
            assertIs(store, expected, "collected, call=" + n);
        }
    }

    @Test
    void aWriterPausedBeforeAnyCallLosesNothing() {
        MemoryObjectStore base = sparse();
        List<RecordChange> many = batch(35, 90, "a longer payload than there was");
        for (int n = 1; ; n++) {
            MemoryObjectStore store = base.copy();
            TreeMap<Bytes, RecordChange> expected = new TreeMap<>(oracle);
            Client.merge(expected, many);
            boolean[] done = new boolean[1];
            Client writer = client(store, n);
            writer.assertEquals(oracle, "all is pooled");
            store.setHook(Client.before(n, false, () -> {
                compact(store, 4);
                collect(store);
                done[0] = true;
            }));
            writer.apply(many);
            store.clearHook();
            assertIs(store, expected, "call=" + n);
            collect(store);
            assertIs(store, expected, "collected, call=" + n);
            writer.assertSound("call=" + n);
            if (!done[0]) {
                assertThat(n).isGreaterThan(10);
                break;
            }
        }
    }

    /** Stops before or after any put; readers see everything at once, and writers and the next compaction go on. */
    @Test
    void aCompactionThatStopsAnywhereIsFinishedByOthers() {
        MemoryObjectStore base = sparse();
        boolean stopped = true;
        for (int n = 1; stopped; n++) {
            MemoryObjectStore store = base.copy();
            stopped = stopsAtPut(store, n, () -> compact(store, 4));
            assertIs(store, oracle, "put=" + n);
            MemoryObjectStore written = store.copy();
            TreeMap<Bytes, RecordChange> expected = new TreeMap<>(oracle);
            client(written, 8).apply(batch(0, RECORDS, "written afterwards"));
            Client.merge(expected, batch(0, RECORDS, "written afterwards"));
            assertIs(written, expected, "written, put=" + n);
            collect(store);
            compact(store, 5);
            collect(store);
            assertIs(store, oracle, "again, put=" + n);
            assertThat(client(store, 6).check().notes()).as("put=%s", n).isEmpty();
        }
    }

    /** A build of an index does not come back to keys that it has passed, so they must stay marked. */
    @Test
    void theIndexEpochOfAKeyNeverFalls() {
        MemoryObjectStore base = sparse();
        boolean done = true;
        for (int n = 1; done; n++) {
            MemoryObjectStore store = base.copy();
            Client builder = client(store, n);
            List<Bytes> marked = new ArrayList<>();
            store.setHook(Client.before(n, false, () -> {
                for (int i = 0; i < RECORDS; i += 10) {
                    PageIndex.Leaf leaf = builder.tree.leafFor(Client.key(i)).orElseThrow();
                    if (i % 20 == 0 && mark(builder, leaf.page())) {
                        marked.addAll(keys(leaf.page().image()));
                    }
                }
            }));
            compact(store, 4);
            store.clearHook();
            done = !marked.isEmpty();
            assertIs(store, oracle, "call=" + n);
            Client reader = client(store, 97);
            for (Bytes key : marked) {
                PageFrame leaf = reader.tree.leafFor(key).orElseThrow().page();
                assertThat(leaf.image().header().indexEpoch()).as("call=%s", n).isEqualTo(5);
            }
            collect(store);
            assertIs(store, oracle, "collected, call=" + n);
        }
    }

    private static boolean mark(Client builder, PageFrame leaf) {
        try {
            builder.writer.mark(leaf, 5);
            return true;
        } catch (ConflictException retired) {
            return false;
        }
    }

    private static List<Bytes> keys(PageImage leaf) {
        return IntStream.range(0, leaf.count()).mapToObj(leaf::key).toList();
    }

    /** The pool of a reader has the tree as it was; after its TTL it finds its way, also when pages are gone. */
    @Test
    void aReaderWithOldPagesFindsItsWay() {
        MemoryObjectStore store = sparse();
        InlineTasks tasks = tasks(7);
        Client reader = new Client(store, SMALL, tasks, Duration.ofSeconds(10));
        reader.assertEquals(oracle, "before");
        compact(store, 4);
        collect(store);
        reader.assertEquals(oracle, "within the ttl");
        client(store, 8).apply(batch(0, RECORDS, "written afterwards"));
        Client.merge(oracle, batch(0, RECORDS, "written afterwards"));
        tasks.advance(Duration.ofSeconds(11));
        reader.assertEquals(oracle, "after the ttl");
    }

    /** While a writer sleeps before any call, others empty its new leaves, join them and remove their pages. */
    @Test
    void aWriterThatSleptDoesNotEnterALeafThatIsGone() {
        MemoryObjectStore base = sparse();
        List<RecordChange> many = batch(35, 90, "a longer payload than there was");
        List<RecordChange> deletes = new ArrayList<>();
        many.forEach(change ->
                deletes.add(new RecordChange.Delete(change.key(), Client.stamp(tasks(0).nowMillis() + 1, 2))));
        for (int n = 1; ; n++) {
            MemoryObjectStore store = base.copy();
            Client writer = client(store, 1000 + n);
            writer.assertEquals(oracle, "all is pooled");
            boolean[] done = new boolean[1];
            store.setHook(Client.before(n, false, () -> {
                client(store, 2008).apply(batch(200, 40, "elsewhere, so that the parent changes"));
                client(store, 2009).apply(deletes);
                compactLater(store);
                collect(store);
                done[0] = true;
            }));
            writer.apply(many);
            store.clearHook();
            client(store, 97).assertSound("call=" + n);
            collect(store);
            client(store, 98).assertSound("collected, call=" + n);
            if (!done[0]) {
                assertThat(n).isGreaterThan(10);
                break;
            }
        }
    }

    /** So late that the tombstones of now are old, and eagerly. */
    private static void compactLater(MemoryObjectStore store) {
        InlineTasks tasks = tasks(2005);
        tasks.advance(LATER);
        Client client = new Client(store, SMALL, tasks);
        new TreeCompaction(client.pages, Client.TREE, SMALL, Workspace.standard(tasks), choices(130)).run();
    }

    /** The leaves below one parent together may be larger than the heap: work begins before all of them are read. */
    @Test
    void fewLeavesOfAParentAreHeldAtATime() {
        MemoryObjectStore store = sparse();
        WatchedObjects watched = new WatchedObjects(store);
        Client client = new Client(watched, SMALL, tasks(3));
        int[] atFirstPut = {-1};
        store.setHook(new MemoryObjectStore.Hook() {
            @Override
            public void before(MemoryObjectStore.Call call, String key) {
                if (call == MemoryObjectStore.Call.PUT && atFirstPut[0] < 0) {
                    atFirstPut[0] = watched.reads();
                }
            }
        });
        int pages = store.size() - 1;
        new TreeCompaction(client.pages, Client.TREE, SMALL, Workspace.standard(tasks(4)), TreeCompaction.Choices.USUAL)
                .run();
        assertThat(pages).isGreaterThan(15);
        assertThat(atFirstPut[0]).isBetween(1, 12);
    }
}
