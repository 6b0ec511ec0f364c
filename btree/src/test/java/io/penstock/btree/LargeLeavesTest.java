package io.penstock.btree;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Bytes;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.pool.BufferPool;
import io.penstock.core.pool.PageManager;
import io.penstock.core.record.Direction;
import io.penstock.core.record.KeyRange;
import io.penstock.core.record.RecordChange;
import io.penstock.core.record.RecordManager;
import io.penstock.testing.InlineTasks;
import io.penstock.testing.MemoryObjectStore;
import io.penstock.testing.MemoryObjectStore.Call;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Trees of leaves so large that readers take them in parts. */
class LargeLeavesTest {
    private static final int BLOCK = 64 << 10;
    private static final TreeSettings SETTINGS = TreeSettings.DEFAULT.withPageBytes(1 << 20);

    private final MemoryObjectStore store = new MemoryObjectStore();
    private final InlineTasks tasks = new InlineTasks(1);

    /** A client that reads in parts, and cannot keep a whole leaf in its pool. */
    private final class Reader {
        final RecordManager records;

        Reader(int readahead, long poolBytes) {
            this(store, readahead, poolBytes);
        }

        Reader(ObjectStore objects, int readahead, long poolBytes) {
            BufferPool pool = new BufferPool(poolBytes, Duration.ofSeconds(10));
            PageManager pages = new PageManager(objects, pool, tasks, "test/");
            records = new RecordManager(new BLinkTree(pages, Client.TREE, readahead, BLOCK, 1 << 20), tasks, 4);
        }

        List<Bytes> scan(KeyRange range, Direction direction) {
            return Client.drainAll(records.cursor(range, direction)).stream()
                    .map(RecordChange::key)
                    .toList();
        }

        /** The same by a scan that is told where it will end. */
        List<Bytes> scanToEnd(KeyRange range, Direction direction) {
            return Client.drainToEnd(records.cursor(range, direction)).stream()
                    .map(RecordChange::key)
                    .toList();
        }
    }

    /** Of 1,000 bytes, with the keys below {@code end} that are multiples of {@code step}. */
    private static List<RecordChange> records(int end, int step) {
        List<RecordChange> records = new ArrayList<>();
        for (int i = 0; i < end; i += step) {
            records.add(new RecordChange.Put(
                    Client.key(i), Bytes.wrap(new byte[1_000]), Client.stamp(1_700_000_000_000L, 1)));
        }
        return records;
    }

    private static List<RecordChange> batch(SplittableRandom random, int size, long round) {
        List<RecordChange> batch = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            Bytes key = Client.key(random.nextInt(4_000));
            var stamp = Client.stamp(1_700_000_000_000L + round * 10_000 + i, 1 + random.nextInt(3));
            byte[] payload = new byte[random.nextInt(2_000)];
            random.nextBytes(payload);
            batch.add(
                    random.nextInt(6) == 0
                            ? new RecordChange.Delete(key, stamp)
                            : new RecordChange.Put(key, Bytes.wrap(payload), stamp));
        }
        return batch;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void readersInPartsEqualASortedMap(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Client writer = new Client(store, SETTINGS, tasks);
        Reader reader = new Reader(random.nextInt(3), 1L << (14 + random.nextInt(10)));
        TreeMap<Bytes, RecordChange> oracle = new TreeMap<>();
        for (int round = 0; round < 8; round++) {
            List<RecordChange> changes = Client.sorted(batch(random, round == 0 ? 3_000 : 200, round));
            writer.writer.apply(changes);
            Client.merge(oracle, changes);
            // Older than the TTL: from here on the reader must see all of it.
            tasks.advance(Duration.ofSeconds(11));
            String what = "seed=" + seed + " round=" + round;
            for (int i = 0; i < 40; i++) {
                Bytes key = Client.key(random.nextInt(4_000));
                var found = reader.records.find(key);
                assertThat(found.map(RecordChange::stamp).orElse(null))
                        .as(what)
                        .isEqualTo(oracle.containsKey(key) ? oracle.get(key).stamp() : null);
            }
            for (int i = 0; i < 4; i++) {
                Bytes one = Client.key(random.nextInt(4_000));
                Bytes two = Client.key(random.nextInt(4_000));
                KeyRange range = random.nextInt(4) == 0
                        ? KeyRange.all()
                        : Client.range(one, random.nextBoolean(), two, random.nextBoolean());
                List<Bytes> expected =
                        oracle.keySet().stream().filter(range::contains).toList();
                assertThat(reader.scan(range, Direction.ASCENDING)).as(what).isEqualTo(expected);
                assertThat(reader.scan(range, Direction.DESCENDING).reversed())
                        .as(what)
                        .isEqualTo(expected);
                for (Direction direction : Direction.values()) {
                    List<Bytes> keys = reader.scanToEnd(range, direction);
                    assertThat(direction == Direction.ASCENDING ? keys : keys.reversed())
                            .as(what)
                            .isEqualTo(expected);
                }
            }
        }
        writer.assertSound("seed=" + seed);
    }

    /** Parts would be read in vain. */
    @ParameterizedTest
    @EnumSource(Direction.class)
    void aScanThatGoesToItsEndReadsEachLeafOnceAndWhole(Direction direction) {
        Client writer = new Client(store, SETTINGS, tasks);
        writer.writer.apply(records(6_000, 1));
        WatchedObjects objects = new WatchedObjects(store);
        Reader reader = new Reader(objects, 2, 1L << 30);
        assertThat(reader.scanToEnd(KeyRange.all(), direction)).hasSize(6_000);
        assertThat(objects.objects()).isGreaterThan(5);
        assertThat(objects.reads()).isEqualTo(objects.objects());
    }

    /** Pages that split and change under a reader between any two steps of its scan. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void aScanInPartsBesideAWriterMeetsEveryRecordThatStays(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Client writer = new Client(store, SETTINGS, tasks);
        List<RecordChange> stays = records(2_000, 2);
        writer.writer.apply(stays);
        Reader reader = new Reader(2, 1 << 16);
        for (Direction direction : Direction.values()) {
            List<Bytes> met = new ArrayList<>();
            try (var scan = reader.records.cursor(KeyRange.all(), direction)) {
                while (scan.advance()) {
                    Bytes key = scan.key();
                    assertThat(met.isEmpty()
                                    || (direction == Direction.ASCENDING)
                                            == met.getLast().compareTo(key) < 0)
                            .as("seed=%d order", seed)
                            .isTrue();
                    met.add(key);
                    if (random.nextInt(50) == 0) {
                        Bytes odd = Client.key(1 + 2 * random.nextInt(1_000));
                        writer.writer.apply(List.of(new RecordChange.Put(
                                odd, Bytes.wrap(new byte[20_000]), Client.stamp(1_700_000_000_001L + met.size(), 2))));
                        tasks.advance(Duration.ofSeconds(random.nextInt(8)));
                    }
                }
            }
            List<Bytes> expected = stays.stream().map(RecordChange::key).toList();
            assertThat(met).as("seed=%d %s", seed, direction).containsAll(expected);
        }
    }

    @Test
    void aTreeOfOneLeafCostsNoMoreThanItsLeaf() {
        Client writer = new Client(store, SETTINGS, tasks);
        writer.apply(
                List.of(new RecordChange.Put(Client.key(1), Bytes.utf8("one"), Client.stamp(1_700_000_000_000L, 1))));
        Reader reader = new Reader(8, 1 << 20);
        int before = store.count(Call.GET) + store.count(Call.GET_IF_CHANGED);
        for (int i = 0; i < 5; i++) {
            assertThat(reader.records.find(Client.key(1))).isPresent();
        }
        assertThat(store.count(Call.GET) + store.count(Call.GET_IF_CHANGED) - before)
                .isEqualTo(1);
    }

    @Test
    void theFirstRecordsOfALargeTreeTakeASmallPartOfIt() {
        Client writer = new Client(store, SETTINGS, tasks);
        writer.writer.apply(records(8_000, 1));
        int before = store.count(Call.GET);
        Reader reader = new Reader(8, 64 << 20);
        try (var scan = reader.records.cursor(KeyRange.all(), Direction.ASCENDING)) {
            for (int i = 0; i < 50; i++) {
                assertThat(scan.advance()).isTrue();
            }
        }
        assertThat(store.count(Call.GET) - before)
                .as("the root, and a head, slots and heap of the first leaf")
                .isEqualTo(4);
        assertThat(new Reader(8, 64 << 20).scan(KeyRange.all(), Direction.ASCENDING))
                .hasSize(8_000);
    }
}
