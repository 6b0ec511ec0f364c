package io.penstock.btree;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Bytes;
import io.penstock.core.Compression;
import io.penstock.core.StoreException;
import io.penstock.core.UnavailableException;
import io.penstock.core.memory.Workspace;
import io.penstock.core.object.Listing;
import io.penstock.core.page.StoredPage;
import io.penstock.core.record.RecordChange;
import io.penstock.testing.InlineTasks;
import io.penstock.testing.MemoryObjectStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Compaction brings the pages of a tree to another size and another compression, beside writers of either. */
class TreeReformTest {
    private static final TreeSettings LARGE =
            TreeSettings.DEFAULT.withPageBytes(2048).withParallelWidth(3).withAttemptsMax(64);

    private static final TreeSettings SMALL = LARGE.withLeafBytes(512, 2048);
    private static final TreeSettings PACKED = SMALL.withCompression(Compression.ZSTD);
    private static final int RECORDS = 400;

    private final TreeMap<Bytes, RecordChange> oracle = new TreeMap<>();
    private final MemoryObjectStore store = new MemoryObjectStore();

    /** Each run draws numbers of its own, as each process does. */
    private long runs = 5000;

    private static RecordChange put(int number, String payload, long millis) {
        return new RecordChange.Put(Client.key(number), Bytes.utf8(payload), Client.stamp(millis, 1));
    }

    private static List<RecordChange> batch(int from, int count, String payload) {
        List<RecordChange> all = new ArrayList<>();
        for (int i = from; i < from + count; i++) {
            all.add(put(
                    i, payload + " and always the same words, the same words, the same words", 5 + payload.length()));
        }
        return all;
    }

    private static Client client(MemoryObjectStore store, TreeSettings settings, long seed) {
        return new Client(store, settings, new InlineTasks(seed));
    }

    private void fill(TreeSettings settings) {
        List<RecordChange> all = batch(0, RECORDS, "first");
        client(store, settings, 1).apply(all);
        Client.merge(oracle, all);
    }

    private TreeCompaction.Result reform(MemoryObjectStore store, TreeSettings settings, Duration later) {
        InlineTasks tasks = new InlineTasks(runs++);
        tasks.advance(later);
        Client client = new Client(store, settings, tasks);
        TreeCompaction.Choices choices = new TreeCompaction.Choices(TreeCompaction.JOINED_PERCENT_MAX, true);
        return new TreeCompaction(client.pages, Client.TREE, settings, Workspace.standard(tasks), choices).run();
    }

    private TreeCompaction.Result reform(TreeSettings settings) {
        return reform(store, settings, Duration.ZERO);
    }

    private TreeReport assertIsWhole(MemoryObjectStore in, String what) {
        Client reader = client(in, LARGE, 97);
        reader.assertEquals(oracle, what);
        return reader.assertSound(what);
    }

    private static long leaves(TreeReport report) {
        return report.levels().getFirst().pages();
    }

    private static long compressed(MemoryObjectStore in) {
        return in.list("test/pages/", "", 10_000).entries().stream()
                .map(Listing.Entry::key)
                .filter(key -> StoredPage.isCompressed(in.get(key).orElseThrow().body()))
                .count();
    }

    @Test
    void largeLeavesAreSplit() {
        fill(LARGE);
        long before = leaves(assertIsWhole(store, "before"));
        assertThat(reform(SMALL).reformed()).isEqualTo(before);
        TreeReport after = assertIsWhole(store, "after");
        assertThat(after.notes()).isEmpty();
        assertThat(leaves(after)).isGreaterThan(before * 2);
        assertThat(after.leafFill(512)).isBetween(0.4, 1.0);
        assertThat(reform(SMALL)).isEqualTo(new TreeCompaction.Result(0, 0, 0, 0));
    }

    @Test
    void aRootThatIsALeafIsSplit() {
        List<RecordChange> few = batch(0, 10, "few");
        client(store, LARGE, 1).apply(few);
        Client.merge(oracle, few);
        assertThat(store.size()).isEqualTo(2);
        assertThat(reform(SMALL).reformed()).isEqualTo(1);
        assertThat(assertIsWhole(store, "split").levels()).hasSize(2);
    }

    /** Each run can make of two neighbours one, and those rest for an hour. */
    @Test
    void smallLeavesBecomeHalfAsLargeAsTheyMay() {
        fill(LARGE.withLeafBytes(512, 2048));
        long before = leaves(assertIsWhole(store, "before"));
        TreeSettings huge = LARGE.withLeafBytes(16 << 10, 2048);
        for (int hour = 2; hour < 20; hour += 2) {
            reform(store, huge, Duration.ofHours(hour));
            assertIsWhole(store, "hour " + hour);
        }
        assertThat(leaves(assertIsWhole(store, "after"))).isLessThan(before / 8);
    }

    /** Log records that were accepted before must fit in the smallest pages, whoever applies them. */
    @Test
    void recordsMayBeAsLargeAsBefore() {
        assertThat(SMALL.recordBytesMax()).isEqualTo(2048);
        assertThat(SMALL.keyBytesMax()).isEqualTo(256);
        Client writer = client(store, SMALL, 2);
        List<RecordChange> changes = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            byte[] key = new byte[i % 2 == 0 ? SMALL.keyBytesMax() : 8];
            key[0] = (byte) i;
            Bytes payload = Bytes.wrap(new byte[SMALL.recordBytesMax() - key.length]);
            changes.add(new RecordChange.Put(Bytes.wrap(key), payload, Client.stamp(i, 1)));
        }
        writer.apply(changes);
        Client.merge(oracle, changes);
        assertIsWhole(store, "large records on small leaves");
        assertThat(reform(SMALL).reformed()).isZero();
        assertThat(reform(LARGE.withLeafBytes(512, 2048)).reformed()).isZero();
    }

    @Test
    void allPagesAreCompressedAndDecompressed() {
        fill(SMALL);
        List<RecordChange> more = batch(RECORDS, 2000, "more");
        client(store, SMALL, 2).apply(more);
        Client.merge(oracle, more);
        TreeReport report = assertIsWhole(store, "before");
        assertThat(report.levels()).hasSizeGreaterThan(2);
        assertThat(compressed(store)).isZero();
        TreeCompaction.Result result = reform(PACKED);
        assertThat(result.reformed()).isEqualTo(compressed(store)).isGreaterThan(report.pages() * 9 / 10);
        assertIsWhole(store, "compressed");
        assertThat(reform(PACKED).reformed()).isZero();
        assertThat(reform(SMALL).reformed()).isEqualTo(result.reformed());
        assertThat(compressed(store)).isZero();
        assertIsWhole(store, "decompressed");
    }

    @Test
    void writersOfEitherSizeLoseNothingBetweenAnyTwoCalls() {
        fill(LARGE);
        TreeMap<Bytes, RecordChange> first = new TreeMap<>(oracle);
        boolean done = true;
        int count = 1;
        for (; done; count++) {
            MemoryObjectStore copy = store.copy();
            oracle.clear();
            oracle.putAll(first);
            int from = count * 7 % RECORDS;
            Client other = client(copy, count % 2 == 0 ? LARGE : PACKED, 1000 + count);
            boolean[] written = new boolean[1];
            copy.setHook(Client.before(count, false, () -> {
                other.apply(batch(from, 30, "in between"));
                written[0] = true;
            }));
            reform(copy, PACKED, Duration.ZERO);
            copy.clearHook();
            if (written[0]) {
                Client.merge(oracle, batch(from, 30, "in between"));
            }
            assertIsWhole(copy, "call=" + count);
            done = written[0];
        }
        assertThat(count).isGreaterThan(40);
    }

    @Test
    void aRunThatStopsAnywhereIsFinishedByTheNext() {
        fill(LARGE);
        boolean stopped = true;
        for (int n = 1; stopped; n++) {
            MemoryObjectStore copy = store.copy();
            copy.setHook(Client.before(n, true, () -> {
                throw new UnavailableException("the client is dead");
            }));
            stopped = stops(copy);
            copy.clearHook();
            assertIsWhole(copy, "put=" + n);
            reform(copy, PACKED, Duration.ZERO);
            TreeReport after = assertIsWhole(copy, "again, put=" + n);
            assertThat(after.leafFill(512)).as("put=%s", n).isBetween(0.4, 1.1);
        }
    }

    private boolean stops(MemoryObjectStore copy) {
        try {
            reform(copy, PACKED, Duration.ZERO);
            return false;
        } catch (StoreException dead) {
            return true;
        }
    }
}
