package io.penstock.btree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.StoreException;
import io.penstock.core.UnavailableException;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.record.Direction;
import io.penstock.core.record.KeyRange;
import io.penstock.core.record.RecordChange;
import io.penstock.core.record.RecordCursor;
import io.penstock.core.task.Task;
import io.penstock.core.task.ThreadTasks;
import io.penstock.testing.InlineTasks;
import io.penstock.testing.MemoryObjectStore;
import io.penstock.testing.MemoryObjectStore.Call;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Several writers of one tree, crashes in the middle of writes, and lost answers. */
class TreeWriterConcurrencyTest {
    private static final TreeSettings SMALL =
            TreeSettings.DEFAULT.withPageBytes(512).withParallelWidth(3).withAttemptsMax(64);

    static java.util.stream.LongStream seeds() {
        return BLinkTreeFuzzTest.seeds();
    }

    /**
     * A writer stands still between a read and its put, for longer than tombstones are kept: the delete that its record
     * lost against is applied, and purged, meanwhile. The put fails, and the next try must look at the time again.
     */
    @Test
    void aWriterThatStoodStillResurrectsNothing() {
        MemoryObjectStore store = new MemoryObjectStore();
        Client slow = new Client(store, SMALL, new InlineTasks(1));
        Client other = new Client(store, SMALL, new InlineTasks(2));
        slow.apply(List.of(new RecordChange.Put(Client.key(1), Bytes.EMPTY, Client.stamp(1, 1))));
        boolean[] late = {false};
        store.setHook(Client.before(1, true, () -> {
            other.apply(List.of(new RecordChange.Put(Client.key(2), Bytes.EMPTY, Client.stamp(9, 2))));
            late[0] = true;
        }));
        List<RecordChange> old = List.of(new RecordChange.Put(Client.key(3), Bytes.EMPTY, Client.stamp(2, 1)));
        assertThatThrownBy(() -> slow.writer.applyReachable(old, () -> {
                    if (late[0]) {
                        throw new UnavailableException("too late");
                    }
                }))
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("too late");
        Client reader = new Client(store, SMALL, new InlineTasks(3));
        assertThat(reader.records.find(Client.key(2))).isPresent();
        assertThat(reader.records.find(Client.key(3))).isEmpty();
    }

    /**
     * Before some calls of one writer, the other one does a batch of its own: every interleaving of two writers' calls.
     */
    @ParameterizedTest
    @MethodSource("seeds")
    void twoWritersMergeByStamp(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        MemoryObjectStore store = new MemoryObjectStore();
        Client one = new Client(store, SMALL, new InlineTasks(seed));
        Client two = new Client(store, SMALL, new InlineTasks(~seed));
        BLinkTreeFuzzTest.Load load = new BLinkTreeFuzzTest.Load(seed, SMALL);
        TreeMap<Bytes, RecordChange> oracle = new TreeMap<>();
        int[] depth = {0};
        for (int round = 0; round < 12; round++) {
            store.setHook(new MemoryObjectStore.Hook() {
                @Override
                public void before(Call call, String key) {
                    if (depth[0] == 0 && random.nextInt(call == Call.PUT ? 3 : 30) == 0) {
                        depth[0]++;
                        write(two, load, 20, oracle);
                        depth[0]--;
                    }
                }
            });
            write(one, load, 150, oracle);
        }
        store.clearHook();
        one.assertSound("seed=" + seed);
        new Client(store, SMALL, new InlineTasks(seed)).assertEquals(oracle, "seed=" + seed);
        one.pool.clear();
        one.assertEquals(oracle, "seed=" + seed);
    }

    private static void write(
            Client client, BLinkTreeFuzzTest.Load load, int sizeMax, TreeMap<Bytes, RecordChange> oracle) {
        List<RecordChange> batch = Client.sorted(load.batch(sizeMax, 60));
        BLinkTreeFuzzTest.dropTies(batch, oracle);
        // The oracle learns of it first, so that the other writer draws no equal stamps meanwhile.
        Client.merge(oracle, batch);
        client.writer.apply(batch);
    }

    @Test
    void threadsWriteAtOnce() {
        MemoryObjectStore store = new MemoryObjectStore();
        ThreadTasks tasks = new ThreadTasks();
        store.setHook(new MemoryObjectStore.Hook() {
            @Override
            public void before(Call call, String key) {
                Thread.yield();
            }
        });
        TreeMap<Bytes, RecordChange> oracle = new TreeMap<>();
        List<Task<Boolean>> writers = new ArrayList<>();
        for (int w = 1; w <= 4; w++) {
            int writer = w;
            List<List<RecordChange>> batches = new ArrayList<>();
            SplittableRandom random = new SplittableRandom(writer);
            for (int b = 0; b < 15; b++) {
                List<RecordChange> batch = new ArrayList<>();
                for (int i = 0; i < 100; i++) {
                    batch.add(new RecordChange.Put(
                            Client.key(random.nextInt(2000)),
                            Bytes.utf8(writer + "/" + b + "/" + i),
                            Client.stamp(1_700_000_000_000L + b * 100 + i, writer)));
                }
                batches.add(Client.sorted(batch));
                Client.merge(oracle, batch);
            }
            Client client = new Client(store, SMALL, tasks);
            writers.add(tasks.start("writer", () -> batches.forEach(client.writer::apply)));
        }
        writers.forEach(Task::join);
        store.clearHook();
        Client reader = new Client(store, SMALL, tasks);
        reader.assertSound("threads");
        reader.assertEquals(oracle, "threads");
    }

    /** Whatever splits happen between two steps of a scan: what was there all the time is seen once, in order. */
    @ParameterizedTest
    @MethodSource("seeds")
    void aScanSeesWhatStaysThroughout(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (Direction direction : Direction.values()) {
            MemoryObjectStore store = new MemoryObjectStore();
            Client writer = new Client(store, SMALL, new InlineTasks(seed));
            List<RecordChange> stay = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                stay.add(put(i * 10, "stays", 1));
            }
            writer.apply(stay);
            Duration ttl = random.nextBoolean() ? Duration.ZERO : Duration.ofHours(1);
            InlineTasks tasks = new InlineTasks(seed);
            Client reader = new Client(store, SMALL, tasks, ttl);
            List<Bytes> seen = new ArrayList<>();
            try (RecordCursor scan = reader.records.cursor(KeyRange.all(), direction)) {
                while (scan.advance()) {
                    seen.add(scan.key());
                    tasks.advance(Duration.ofMillis(1));
                    if (random.nextInt(30) == 0) {
                        insertAround(random.nextInt(3000), random, writer);
                    }
                }
            }
            List<Bytes> ascending = direction == Direction.ASCENDING ? seen : seen.reversed();
            assertThat(ascending).as("seed=" + seed).isSorted().doesNotHaveDuplicates();
            assertThat(seen)
                    .as("seed=" + seed)
                    .containsAll(stay.stream().map(RecordChange::key).toList());
        }
    }

    private static void insertAround(int start, SplittableRandom random, Client writer) {
        List<RecordChange> more = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            int number = start + random.nextInt(50);
            more.add(put(number % 10 == 0 ? number + 1 : number, "comes", 2));
        }
        writer.apply(more);
    }

    /**
     * A crash at the n-th put, before or after it took effect, for every n until the whole work is done without one.
     */
    @Test
    void aCrashBetweenAnyTwoPutsLeavesASoundTree() {
        MemoryObjectStore base = new MemoryObjectStore();
        Client loader = new Client(base, SMALL, new InlineTasks(1));
        TreeMap<Bytes, RecordChange> before = new TreeMap<>();
        List<RecordChange> first = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            first.add(put(i * 10, "first", 1));
        }
        loader.apply(first);
        Client.merge(before, first);
        List<RecordChange> second = new ArrayList<>();
        for (int i = 0; i < 150; i++) {
            second.add(put(1500 + i, "second-and-longer", 2));
        }
        int crashes = 0;
        for (int n = 1; ; n++) {
            boolean early = crashAt(base, n, true, before, second);
            boolean late = crashAt(base, n, false, before, second);
            if (!early && !late) {
                break;
            }
            crashes++;
        }
        assertThat(crashes).isGreaterThan(10);
    }

    private boolean crashAt(
            MemoryObjectStore base,
            int n,
            boolean early,
            TreeMap<Bytes, RecordChange> before,
            List<RecordChange> second) {
        String what = "put=" + n + " early=" + early;
        MemoryObjectStore store = base.copy();
        int[] puts = {0};
        store.setHook(new MemoryObjectStore.Hook() {
            @Override
            public void before(Call call, String key) {
                crash(early, call == Call.PUT ? ++puts[0] : puts[0]);
            }

            @Override
            public void after(Call call, String key) {
                crash(!early, puts[0]);
            }

            private void crash(boolean now, int count) {
                if (now && count >= n) {
                    throw new UnavailableException("the client is dead");
                }
            }
        });
        boolean crashed = false;
        try {
            new Client(store, SMALL, new InlineTasks(n)).apply(second);
        } catch (StoreException e) {
            crashed = true;
        }
        store.clearHook();
        Client reader = new Client(store, SMALL, new InlineTasks(n + 1));
        reader.assertSound(what);
        before.forEach(
                (key, change) -> assertThat(reader.records.find(key)).as(what).isPresent());
        reader.apply(second);
        TreeMap<Bytes, RecordChange> oracle = new TreeMap<>(before);
        Client.merge(oracle, second);
        // The second pass goes by every page again, and enters what parents lack.
        Client next = new Client(store, SMALL, new InlineTasks(n + 2));
        List<RecordChange> third = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            third.add(put(i * 10, "third", 3));
        }
        next.apply(third);
        Client.merge(oracle, third);
        assertThat(next.assertSound(what).notes()).as(what).isEmpty();
        next.assertEquals(oracle, what);
        return crashed;
    }

    private static RecordChange put(int number, String payload, int time) {
        return new RecordChange.Put(
                Client.key(number), Bytes.utf8(payload), Client.stamp(1_700_000_000_000L + time, 1));
    }

    /** Answers to puts get lost, some before they took effect, some after: no change is lost or doubled. */
    @ParameterizedTest
    @MethodSource("seeds")
    void lostAnswersAreResolvedByWriteId(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        MemoryObjectStore store = new MemoryObjectStore();
        Client client = new Client(store, SMALL, new InlineTasks(seed));
        store.setHook(new MemoryObjectStore.Hook() {
            @Override
            public void before(Call call, String key) {
                lose(call);
            }

            @Override
            public void after(Call call, String key) {
                lose(call);
            }

            private void lose(Call call) {
                if (call == Call.PUT && random.nextInt(6) == 0) {
                    throw new OutcomeUnknownException("the answer was lost");
                }
            }
        });
        BLinkTreeFuzzTest.Load load = new BLinkTreeFuzzTest.Load(seed, SMALL);
        TreeMap<Bytes, RecordChange> oracle = new TreeMap<>();
        for (int round = 0; round < 8; round++) {
            write(client, load, 150, oracle);
        }
        store.clearHook();
        client.assertSound("seed=" + seed);
        client.assertEquals(oracle, "seed=" + seed);
    }

    /**
     * A put takes effect, another writer builds on it, and then the answer is lost or the SDK's own repeat is refused:
     * it looks as if the put had lost, yet its new pages are part of the tree.
     */
    @ParameterizedTest
    @MethodSource("seeds")
    void aRefusalAfterTheEffectLosesNothing(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        MemoryObjectStore store = new MemoryObjectStore();
        Client one = new Client(store, SMALL, new InlineTasks(seed));
        Client two = new Client(store, SMALL, new InlineTasks(~seed));
        BLinkTreeFuzzTest.Load load = new BLinkTreeFuzzTest.Load(seed, SMALL);
        TreeMap<Bytes, RecordChange> oracle = new TreeMap<>();
        int[] depth = {0};
        store.setHook(new MemoryObjectStore.Hook() {
            @Override
            public void after(Call call, String key) {
                if (call != Call.PUT || depth[0] > 0 || random.nextInt(4) > 0) {
                    return;
                }
                depth[0]++;
                write(two, load, 60, oracle);
                depth[0]--;
                throw random.nextBoolean()
                        ? new ConflictException("the repeat of a put that took effect")
                        : new OutcomeUnknownException("the answer was lost");
            }
        });
        for (int round = 0; round < 8; round++) {
            write(one, load, 150, oracle);
        }
        store.clearHook();
        one.assertSound("seed=" + seed);
        new Client(store, SMALL, new InlineTasks(seed)).assertEquals(oracle, "seed=" + seed);
    }

    /**
     * Puts whose answer is lost, and that take effect some calls later, when the writer has read the page and moved on.
     */
    @ParameterizedTest
    @MethodSource("seeds")
    void aPutThatArrivesLateLosesNothing(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        MemoryObjectStore store = new MemoryObjectStore();
        ArrayDeque<Runnable> late = new ArrayDeque<>();
        InvocationHandler delaying = (proxy, method, arguments) -> {
            if (!late.isEmpty() && random.nextInt(4) == 0) {
                late.poll().run();
            }
            if (method.getName().equals("put") && random.nextInt(4) == 0) {
                late.add(() -> {
                    try {
                        store.put((String) arguments[0], (Bytes) arguments[1], (WriteCondition) arguments[2]);
                    } catch (ConflictException refused) {
                        // Nobody waits for the answer.
                    }
                });
                throw new OutcomeUnknownException("the answer was lost");
            }
            try {
                return method.invoke(store, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        };
        ObjectStore delayed = (ObjectStore)
                Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {ObjectStore.class}, delaying);
        Client client = new Client(delayed, SMALL, new InlineTasks(seed));
        BLinkTreeFuzzTest.Load load = new BLinkTreeFuzzTest.Load(seed, SMALL);
        TreeMap<Bytes, RecordChange> oracle = new TreeMap<>();
        for (int round = 0; round < 8; round++) {
            write(client, load, 150, oracle);
        }
        late.forEach(Runnable::run);
        Client reader = new Client(store, SMALL, new InlineTasks(seed));
        reader.assertSound("seed=" + seed);
        reader.assertEquals(oracle, "seed=" + seed);
    }

    @Test
    void aWriterWhoAlwaysLosesGivesUp() {
        MemoryObjectStore store = new MemoryObjectStore();
        TreeSettings settings = SMALL.withAttemptsMax(5);
        Client rival = new Client(store, settings, new InlineTasks(1));
        Client client = new Client(store, settings, new InlineTasks(2));
        rival.apply(List.of(put(1, "a", 1)));
        int[] turn = {0};
        boolean[] inside = {false};
        store.setHook(new MemoryObjectStore.Hook() {
            @Override
            public void before(Call call, String key) {
                if (call == Call.PUT && !inside[0]) {
                    inside[0] = true;
                    rival.apply(List.of(put(1, "b", 10 + turn[0]++)));
                    inside[0] = false;
                }
            }
        });
        assertThatThrownBy(() -> client.apply(List.of(put(2, "c", 5)))).isInstanceOf(ConflictException.class);
        assertThat(turn[0]).isEqualTo(5);
    }

    @Test
    void orphansOfALostSplitAreDeleted() {
        MemoryObjectStore store = new MemoryObjectStore();
        Client rival = new Client(store, SMALL, new InlineTasks(1));
        Client client = new Client(store, SMALL, new InlineTasks(2));
        List<RecordChange> load = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            load.add(put(i * 10, "some payload", 1));
        }
        rival.apply(load);
        client.apply(List.of(put(0, "warm", 2)));
        int[] puts = {0};
        boolean[] inside = {false};
        store.setHook(new MemoryObjectStore.Hook() {
            @Override
            public void before(Call call, String key) {
                if (call == Call.PUT && !inside[0] && ++puts[0] == 2) {
                    inside[0] = true;
                    rival.apply(List.of(put(0, "rival", 3)));
                    inside[0] = false;
                }
            }
        });
        List<RecordChange> split = new ArrayList<>();
        for (int i = 1; i < 9; i++) {
            split.add(put(i, "some more payload", 2));
        }
        client.apply(split);
        store.clearHook();
        assertThat(store.size()).isEqualTo((int) client.assertSound("after").pages() + 1);
    }
}
