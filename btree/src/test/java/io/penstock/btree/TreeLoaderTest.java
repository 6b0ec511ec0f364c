package io.penstock.btree;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.ConflictException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.UnavailableException;
import io.penstock.core.memory.Workspace;
import io.penstock.core.pool.BufferPool;
import io.penstock.core.pool.PageManager;
import io.penstock.core.record.Direction;
import io.penstock.core.record.KeyRange;
import io.penstock.core.record.RecordChange;
import io.penstock.core.record.RecordCursor;
import io.penstock.core.record.RecordManager;
import io.penstock.testing.InlineTasks;
import io.penstock.testing.MemoryObjectStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class TreeLoaderTest {
    private static final TreeId TREE = new TreeId(5);
    private static final TreeSettings SETTINGS = TreeSettings.DEFAULT.withPageBytes(512);
    private static final Stamp STAMP = Stamp.of(1_000, 0, new ClientId(1));

    private final MemoryObjectStore objects = new MemoryObjectStore();
    private final InlineTasks tasks = new InlineTasks(1);
    private final PageManager pages = pages();

    private PageManager pages() {
        return new PageManager(objects, new BufferPool(1 << 20, Duration.ofMinutes(1)), tasks, "s/");
    }

    private static TreeMap<Bytes, Bytes> records(Random random, int count) {
        TreeMap<Bytes, Bytes> records = new TreeMap<>();
        String prefix = "p".repeat(random.nextInt(30));
        while (records.size() < count) {
            byte[] payload = new byte[random.nextInt(128)];
            random.nextBytes(payload);
            records.put(Bytes.utf8(prefix + random.nextInt(10 * count + 10)), Bytes.wrap(payload));
        }
        return records;
    }

    private TreeLoader begin(int fill) {
        return new TreeLoader(pages, TREE, SETTINGS, tasks, fill);
    }

    private long load(Map<Bytes, Bytes> records, int fill) {
        TreeLoader loader = begin(fill);
        records.forEach((key, payload) -> loader.add(key, payload, false, STAMP));
        return loader.finish();
    }

    private Map<Bytes, Bytes> content(PageManager reader) {
        Map<Bytes, Bytes> found = new TreeMap<>();
        RecordManager records = new RecordManager(new BLinkTree(reader, TREE, 0), tasks, 4);
        try (RecordCursor scan = records.cursor(KeyRange.all(), Direction.ASCENDING)) {
            while (scan.advance()) {
                RecordChange record = scan.record();
                assertThat(record.stamp()).isEqualTo(STAMP);
                found.put(record.key(), record.livePayload());
            }
        }
        return found;
    }

    @Test
    void whatIsLoadedIsThereInATreeThatIsSound() {
        for (int seed = 0; seed < 150; seed++) {
            Random random = new Random(seed);
            objects.list("", "", 100_000).entries().forEach(entry -> objects.delete(entry.key()));
            pages.refresh(io.penstock.core.PageId.root(TREE));
            int count = random.nextInt(4) == 0 ? random.nextInt(5) : random.nextInt(800);
            TreeMap<Bytes, Bytes> records = records(random, count);
            long put = load(records, 50 + random.nextInt(51));
            PageManager fresh = pages();
            TreeReport report = TreeCheck.run(fresh, TREE, Workspace.standard(new InlineTasks(1)));
            assertThat(report.violations()).as("seed=" + seed).isEmpty();
            assertThat(content(fresh)).as("seed=" + seed).isEqualTo(records);
            assertThat(objects.size() - 1L)
                    .as("seed=" + seed + ", but for the mark")
                    .isEqualTo(put);
        }
    }

    /** A full fill leaves little air; a fill of a half takes about twice the pages. */
    @Test
    void pagesAreFilledAsAsked() {
        TreeMap<Bytes, Bytes> records = new TreeMap<>();
        for (int i = 0; i < 5000; i++) {
            records.put(Bytes.utf8("key " + (100_000 + i)), Bytes.utf8("a payload of some bytes"));
        }
        load(records, 100);
        long leaves = 0;
        long bytes = 0;
        long largest = 0;
        BLinkTree tree = new BLinkTree(pages, TREE, 0);
        for (Bytes next = Bytes.EMPTY; next != null; ) {
            var leaf = tree.leafFor(next).orElseThrow().page().image();
            next = leaf.header().highKey();
            leaves++;
            bytes += leaf.bytes().length();
            largest = Math.max(largest, leaf.bytes().length());
        }
        assertThat(largest).isLessThanOrEqualTo(512);
        assertThat(bytes / leaves).isGreaterThan(440);
    }

    @Test
    void theTreeTakesWritesAfterwards() {
        TreeMap<Bytes, Bytes> records = records(new Random(1), 500);
        load(records, 90);
        TreeWriter writer = new TreeWriter(pages, TREE, SETTINGS, tasks);
        List<RecordChange> changes = new ArrayList<>();
        TreeMap<Bytes, Bytes> more = records(new Random(2), 500);
        more.forEach((key, payload) -> changes.add(new RecordChange.Put(key, payload, STAMP)));
        writer.apply(changes);
        more.forEach(records::putIfAbsent);
        assertThat(TreeCheck.run(pages(), TREE, Workspace.standard(new InlineTasks(1)))
                        .violations())
                .isEmpty();
        assertThat(content(pages())).isEqualTo(records);
    }

    @Test
    void nothingIsSeenBeforeTheEnd() {
        TreeLoader loader = begin(90);
        records(new Random(3), 300).forEach((key, payload) -> loader.add(key, payload, false, STAMP));
        assertThat(objects.size()).isGreaterThan(10);
        assertThat(content(pages())).isEmpty();
        assertThat(TreeLoader.isEmpty(pages(), TREE)).isTrue();
        assertThat(load(records(new Random(4), 200), 90)).isPositive();
        assertThatThrownBy(loader::finish).isInstanceOf(ConflictException.class).is(code(ErrorCode.CONFLICT));
        assertThat(content(pages())).isEqualTo(records(new Random(4), 200));
    }

    @Test
    void aWriteMeanwhileMakesTheLoadFail() {
        TreeLoader loader = begin(90);
        Map<Bytes, Bytes> records = records(new Random(3), 300);
        records.forEach((key, payload) -> loader.add(key, payload, false, STAMP));
        PageManager other = pages();
        new TreeWriter(other, TREE, SETTINGS, tasks)
                .apply(List.of(new RecordChange.Put(Bytes.utf8("k"), Bytes.utf8("v"), STAMP)));
        assertThatThrownBy(loader::finish).isInstanceOf(ConflictException.class);
        assertThat(content(pages())).isEqualTo(Map.of(Bytes.utf8("k"), Bytes.utf8("v")));
        assertThatThrownBy(() -> begin(90))
                .isInstanceOf(InvalidRequestException.class)
                .is(code(ErrorCode.ALREADY_EXISTS));
    }

    @Test
    void aFailedPutFailsTheLoadAndTheNextOneSucceeds() {
        Map<Bytes, Bytes> records = records(new Random(5), 300);
        int[] puts = {0};
        objects.setHook(new MemoryObjectStore.Hook() {
            @Override
            public void before(MemoryObjectStore.Call call, String key) {
                if (call == MemoryObjectStore.Call.PUT && ++puts[0] == 7) {
                    throw new UnavailableException("down");
                }
            }
        });
        assertThatThrownBy(() -> load(records, 90)).isInstanceOf(UnavailableException.class);
        objects.clearHook();
        assertThat(content(pages())).isEmpty();
        load(records, 90);
        assertThat(content(pages())).isEqualTo(records);
    }

    @Test
    void badInputIsRefused() {
        TreeLoader loader = begin(90);
        loader.add(Bytes.utf8("b"), Bytes.EMPTY, false, STAMP);
        for (String key : List.of("a", "b")) {
            assertThatThrownBy(() -> loader.add(Bytes.utf8(key), Bytes.EMPTY, false, STAMP))
                    .isInstanceOf(InvalidRequestException.class)
                    .is(code(ErrorCode.INVALID_ARGUMENT));
        }
        assertThatThrownBy(() -> loader.add(Bytes.utf8("c".repeat(65)), Bytes.EMPTY, false, STAMP))
                .isInstanceOf(InvalidRequestException.class);
        assertThatThrownBy(() -> loader.add(Bytes.utf8("c"), Bytes.wrap(new byte[600]), false, STAMP))
                .isInstanceOf(InvalidRequestException.class);
        assertThatThrownBy(() -> begin(9)).isInstanceOf(InvalidRequestException.class);
        assertThatThrownBy(() -> begin(101)).isInstanceOf(InvalidRequestException.class);
        loader.abandon();
    }

    /** The root is put last, when all others are there: it would name a page that is missing. */
    @Test
    void aLoadOfWhichAPageFailsLeavesTheTreeEmpty() {
        TreeLoader loader = begin(90);
        records(new Random(1), 300).forEach((key, payload) -> loader.add(key, payload, false, STAMP));
        boolean[] failed = new boolean[1];
        objects.setHook(new MemoryObjectStore.Hook() {
            @Override
            public void before(MemoryObjectStore.Call call, String key) {
                if (call == MemoryObjectStore.Call.PUT && !failed[0]) {
                    failed[0] = true;
                    throw new UnavailableException("the servers are busy");
                }
            }
        });
        assertThatThrownBy(loader::finish).isInstanceOf(UnavailableException.class);
        objects.clearHook();
        loader.abandon();
        assertThat(TreeLoader.isEmpty(pages(), TREE)).isTrue();
        assertThat(TreeCheck.run(pages(), TREE, Workspace.standard(new InlineTasks(1)))
                        .violations())
                .isEmpty();
    }
}
