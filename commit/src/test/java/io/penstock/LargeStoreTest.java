package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Bytes;
import io.penstock.core.Durability;
import io.penstock.core.PageId;
import io.penstock.core.TreeId;
import io.penstock.core.local.LocalCloud;
import io.penstock.core.pool.BufferPool;
import io.penstock.core.pool.PageManager;
import io.penstock.core.task.ThreadTasks;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** 100,000 records of 100 bytes through the front door, on small pages, so that the tree has at least three levels. */
@Tag("long")
class LargeStoreTest {
    private static final int RECORDS = 100_000;
    private static final int PER_TRANSACTION = 2_000;

    @TempDir
    Path directory;

    private Settings settings() {
        return Settings.local(directory, Durability.OS_CACHE)
                .pageBytes(4 << 10)
                .checkpointInterval(Duration.ofSeconds(2))
                .advanced(advanced -> advanced.forwardInterval(Duration.ofMillis(50)));
    }

    private static RecordCollection<Long, Bytes> records(Penstock store) {
        return store.collection("records", Keys.longs(), PayloadCodec.bytes());
    }

    private static Bytes payload(long key) {
        byte[] bytes = new byte[100];
        new Random(key).nextBytes(bytes);
        return Bytes.wrap(bytes);
    }

    @Test
    void loadReadScanDelete() {
        TreeId tree;
        try (Penstock store = Penstock.open(settings())) {
            load(store);
            tree = records(store).tree();
        }
        assertThat(rootLevel(tree)).as("levels above the leaves").isGreaterThanOrEqualTo(2);
        try (Penstock store = Penstock.open(settings())) {
            RecordCollection<Long, Bytes> records = records(store);
            assertThat(store.admin().backlog().total()).isZero();
            assertThat(store.admin().verify().violations()).isEmpty();
            Random random = new Random(1);
            for (int i = 0; i < 5_000; i++) {
                long key = random.nextInt(RECORDS);
                assertThat(records.get(key)).as("key=%d", key).hasValue(payload(key));
            }
            assertThat(records.get((long) RECORDS)).isEmpty();
            assertScan(records, KeySpan.all(), 0, 1, RECORDS);
            assertScan(records, KeySpan.all().reversed(), RECORDS - 1, -1, RECORDS);
            assertScan(records, KeySpan.between(500L, 1_500L), 500, 1, 1_000);
            delete(store);
        }
        try (Penstock store = Penstock.open(settings())) {
            assertThat(store.admin().verify().violations()).isEmpty();
            assertScan(records(store), KeySpan.all(), 0, 2, RECORDS / 2);
            assertScan(records(store), KeySpan.all().reversed(), RECORDS - 2, -2, RECORDS / 2);
        }
    }

    private static void load(Penstock store) {
        RecordCollection<Long, Bytes> records = records(store);
        // In an order that splits pages all over the tree.
        long key = 0;
        for (int done = 0; done < RECORDS; done += PER_TRANSACTION) {
            try (Transaction tx = store.begin()) {
                for (int i = 0; i < PER_TRANSACTION; i++) {
                    tx.put(records, key, payload(key));
                    key = (key + 61_803) % RECORDS;
                }
                tx.commit();
            }
        }
    }

    private static void delete(Penstock store) {
        RecordCollection<Long, Bytes> records = records(store);
        for (long from = 1; from < RECORDS; from += 2L * PER_TRANSACTION) {
            try (Transaction tx = store.begin()) {
                for (long key = from; key < Math.min(RECORDS, from + 2L * PER_TRANSACTION); key += 2) {
                    tx.delete(records, key);
                }
                tx.commit();
            }
        }
    }

    private static void assertScan(
            RecordCollection<Long, Bytes> records, KeySpan<? super Long> span, long first, long step, long count) {
        long expected = first;
        long seen = 0;
        try (Scan<Entry<Long, Bytes>> scan = records.scan(span)) {
            while (scan.hasNext()) {
                Entry<Long, Bytes> entry = scan.next();
                if (entry.key() != expected || !entry.value().equals(payload(expected))) {
                    assertThat(entry.key()).isEqualTo(expected);
                    assertThat(entry.value()).isEqualTo(payload(expected));
                }
                expected += step;
                seen++;
            }
        }
        assertThat(seen).isEqualTo(count);
    }

    /** The level of the collection's root page: 0 for a leaf. */
    private int rootLevel(TreeId tree) {
        ThreadTasks tasks = new ThreadTasks();
        try (LocalCloud cloud = LocalCloud.open(directory, tasks)) {
            BufferPool pool = new BufferPool(1 << 20, Duration.ofSeconds(1));
            PageManager pages = new PageManager(cloud.objects(), pool, tasks, "penstock/");
            return pages.refresh(PageId.root(tree)).orElseThrow().image().level();
        }
    }
}
