package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import io.penstock.btree.TreeCheck;
import io.penstock.btree.TreeReport;
import io.penstock.core.Bytes;
import io.penstock.core.PageId;
import io.penstock.core.TreeId;
import io.penstock.core.memory.Workspace;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.page.PageImage;
import io.penstock.core.pool.BufferPool;
import io.penstock.core.pool.PageManager;
import io.penstock.report.StoreStats;
import io.penstock.testing.InlineTasks;
import io.penstock.testing.MemoryObjectStore;
import io.penstock.testkit.Profile;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * The cost of reads in a collection of 100 million records, through the front door. Its pages are real, but computed
 * when they are requested.
 */
class HundredMillionTest {
    private static final long RECORDS = 100_000_000;
    private static final long SEED = 1;

    /** Records of a tree that is small enough to be built, and walked. */
    private static final long FEW = 30_000;

    private static RecordCollection<Bytes, Bytes> records(Penstock store) {
        return store.collection("records", Keys.bytes(), PayloadCodec.bytes());
    }

    /** Gives {@code body} a store that has the collection of 100 million and whose pool is empty. */
    private static void withStore(BiConsumer<Client, ComputedTree> body) {
        new SimulatedStore(SEED, Profile.INSTANT, World.CALM).run(simulated -> {
            SimulatedClient machine = simulated.machine("reader");
            ComputedPages pages = new ComputedPages(simulated.cloud.objects(machine));
            // Older pages would be revalidated, which this test does not measure.
            Settings settings = Settings.on(pages, simulated.cloud.queues(machine), machine)
                    .level(ConsistencyLevel.ATOMIC)
                    .ttl(Duration.ofMinutes(5));
            TreeId id;
            try (Penstock store = Penstock.open(settings)) {
                id = records(store).tree();
            }
            ComputedTree tree = new ComputedTree(id, RECORDS);
            pages.place(tree, "penstock/");
            try (Penstock store = Penstock.open(settings.readOnly(true))) {
                RecordCollection<Bytes, Bytes> records = records(store);
                // The catalog is not what is counted.
                records.declaration().definition();
                body.accept(new Client(records, pages, tree), tree);
            }
        });
    }

    /** Reads, and tells what that has cost. */
    private record Client(RecordCollection<Bytes, Bytes> records, ComputedPages pages, ComputedTree tree) {
        /** Reads a record, which must be there, and returns for how many pages the store was asked. */
        int costOf(long record) {
            int before = pages.pageReads();
            int othersBefore = pages.otherReads();
            assertThat(records.get(tree.key(record))).as("record=%d", record).hasValue(tree.payload(record));
            assertThat(pages.otherReads()).as("requests for what is no page").isEqualTo(othersBefore);
            return pages.pageReads() - before;
        }

        /** Reads a key that no record has. */
        int costOfMissing(Bytes key) {
            int before = pages.pageReads();
            assertThat(records.get(key)).isEmpty();
            return pages.pageReads() - before;
        }

        /** Reads a record below each page of level 1, from its last leaf. */
        void warmInnerPages() {
            for (int node = 0; node < tree.pages(1); node++) {
                int end = node + 1 < tree.pages(1) ? tree.firstLeafBelow(node + 1) : tree.pages(0);
                costOf(tree.firstOf(end - 1));
            }
        }
    }

    @Test
    void theTreeHasThreeLevels() {
        ComputedTree tree = new ComputedTree(new TreeId(1), RECORDS);
        assertThat(tree.height()).isEqualTo(3);
        assertThat(tree.leafRecords()).isEqualTo(482);
        assertThat(tree.pages(0)).isEqualTo(207_469);
        assertThat(tree.pages(1)).isEqualTo(49);
    }

    @Test
    void aColdReadCostsAsManyRequestsAsThereAreLevels() {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < 5; i++) {
            long record = random.nextLong(RECORDS);
            withStore((client, tree) ->
                    assertThat(client.costOf(record)).as("record=%d", record).isEqualTo(tree.height()));
        }
    }

    @Test
    void aReadCostsOneRequestForEachLevelThatIsNotPooled() {
        withStore((client, tree) -> {
            assertThat(client.costOf(0)).as("nothing is pooled").isEqualTo(3);
            assertThat(client.costOf(1)).as("all is pooled").isZero();
            assertThat(client.costOf(tree.firstOf(1))).as("a leaf is not").isEqualTo(1);
            long elsewhere = tree.firstOf(tree.firstLeafBelow(1));
            assertThat(client.costOf(elsewhere)).as("the root is").isEqualTo(2);
            assertThat(client.costOf(RECORDS - 1)).as("the root is").isEqualTo(2);
        });
    }

    @Test
    void whereInnerPagesArePooledEveryReadCostsExactlyOneRequest() {
        withStore((client, tree) -> {
            client.warmInnerPages();
            SplittableRandom random = new SplittableRandom(SEED);
            int[] leaves = leavesNotWarm(tree, random).limit(1_000).toArray();
            for (int leaf : leaves) {
                long record = tree.firstOf(leaf) + random.nextInt(tree.leafRecords());
                assertThat(client.costOf(record)).as("record=%d", record).isEqualTo(1);
            }
        });
    }

    @Test
    void aKeyThatNoRecordHasCostsOneRequestToo() {
        withStore((client, tree) -> {
            client.warmInnerPages();
            SplittableRandom random = new SplittableRandom(SEED);
            leavesNotWarm(tree, random).limit(300).forEach(leaf -> {
                // Right behind a record, so between it and the next one; which may be the first of the next leaf.
                long record = tree.firstOf(leaf) + random.nextInt(tree.leafRecords());
                Bytes between = tree.key(record).concat(Bytes.wrap(new byte[1]));
                assertThat(client.costOfMissing(between))
                        .as("record=%d", record)
                        .isEqualTo(1);
            });
            assertThat(client.costOfMissing(Bytes.wrap(new byte[1])))
                    .as("below the first")
                    .isLessThan(2);
            assertThat(client.costOfMissing(tree.key(RECORDS - 1).prefixEnd()))
                    .as("above the last")
                    .isLessThan(2);
        });
    }

    /** Leaves in no order, each once, without those that {@link Client#warmInnerPages} reads. */
    private static IntStream leavesNotWarm(ComputedTree tree, SplittableRandom random) {
        return random.ints(0, tree.pages(0) - 1).distinct().filter(leaf -> (leaf + 1) % tree.firstLeafBelow(1) != 0);
    }

    private static PageManager reader(ObjectStore objects) {
        BufferPool pool = new BufferPool(64 << 20, Duration.ofHours(1));
        return new PageManager(objects, pool, new InlineTasks(SEED), "s/");
    }

    /** Small enough to be walked whole; the formula is the same for all sizes. */
    @Test
    void theComputedTreeIsSound() {
        ComputedTree tree = new ComputedTree(new TreeId(1), 200_000);
        ComputedPages pages = new ComputedPages(new MemoryObjectStore());
        pages.place(tree, "s/");
        TreeReport report = TreeCheck.run(reader(pages), tree.id(), Workspace.standard(new InlineTasks(SEED)));
        assertThat(report.violations()).isEmpty();
        assertThat(report.notes()).isEmpty();
        assertThat(report.records()).isEqualTo(200_000);
    }

    @Test
    void theComputedTreeIsAsABulkLoadBuildsIt() {
        new SimulatedStore(SEED, Profile.INSTANT, World.CALM).run(simulated -> {
            SimulatedClient machine = simulated.machine("loader");
            Settings settings = Settings.on(simulated.cloud.objects(machine), simulated.cloud.queues(machine), machine)
                    .level(ConsistencyLevel.ATOMIC);
            try (Penstock store = Penstock.open(settings)) {
                ComputedTree tree = new ComputedTree(new TreeId(1), FEW);
                Iterator<Entry<Bytes, Bytes>> input = LongStream.range(0, FEW)
                        .mapToObj(record -> new Entry<>(tree.key(record), tree.payload(record)))
                        .iterator();
                records(store).load(input, read -> {});
                StoreStats.Tree built = store.admin().inspect().stats().trees().getFirst();
                assertThat(built.height()).isEqualTo(tree.height());
                assertThat(built.records()).isEqualTo(FEW);
                // All leaves but the last are full, and one or two records more or less fit.
                assertThat((double) built.pages()).isCloseTo(tree.pages(0) + 1, offset(1.0));
            }
        });
    }

    @Test
    void pagesAreAsFullAsThoseOfABulkLoad() {
        ComputedTree tree = new ComputedTree(new TreeId(1), RECORDS);
        SplittableRandom random = new SplittableRandom(SEED);
        List<Integer> leaves = random.ints(100, 0, tree.pages(0) - 1).boxed().toList();
        long bytes = 0;
        for (int leaf : leaves) {
            int length = tree.page(leafNumber(tree, leaf)).orElseThrow().bytes().length();
            assertThat(length).isBetween(57_000, 60_000);
            bytes += length;
        }
        double raw = (double) leaves.size() * tree.leafRecords() * (16 + ComputedTree.PAYLOAD_BYTES);
        assertThat(100 * (bytes - raw) / raw)
                .as("percent above keys and payloads")
                .isBetween(0.0, 12.0);
    }

    /** As the page of level 1 above it has it. */
    private static long leafNumber(ComputedTree tree, int leaf) {
        PageImage root = tree.page(PageId.ROOT).orElseThrow();
        int perNode = tree.firstLeafBelow(1);
        return tree.page(root.child(leaf / perNode)).orElseThrow().child(leaf % perNode);
    }
}
