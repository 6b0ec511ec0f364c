package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Durability;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One handle, many platform threads: the simulation runs one actor at a time and cannot see a data race. */
class RealThreadsTest {
    private static final int THREADS = 8;
    private static final int TRANSACTIONS = 100;

    @TempDir
    Path directory;

    private Settings settings() {
        return Settings.local(directory, Durability.OS_CACHE)
                .pageBytes(2048)
                .poolBytes(64 << 10)
                .ttl(Duration.ofMillis(20))
                .checkpointInterval(Duration.ofMillis(30))
                .advanced(advanced -> advanced.forwardInterval(Duration.ofMillis(10)));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NAIVE")
    void everyThreadsWritesAreThere(ConsistencyLevel level) throws Exception {
        try (Penstock store = Penstock.open(settings().level(level))) {
            RecordCollection<String, String> words = store.collection("words", Keys.string(), Json.of(String.class));
            try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
                List<Future<?>> work = IntStream.range(0, THREADS)
                        .<Future<?>>mapToObj(t -> threads.submit(() -> write(store, words, level, t)))
                        .toList();
                for (Future<?> one : work) {
                    one.get();
                }
            }
        }
        verify();
    }

    private static void write(
            Penstock store, RecordCollection<String, String> words, ConsistencyLevel level, int thread) {
        for (int i = 0; i < TRANSACTIONS; i++) {
            String key = thread + "-" + i;
            store.transact(tx -> {
                tx.put(words, key + "-a", key);
                tx.put(words, key + "-b", key);
                return true;
            });
            if (StoreProbe.keepsSession(store, level)) {
                assertThat(words.get(key + "-b")).as(key).hasValue(key);
            }
        }
    }

    private void verify() {
        try (Penstock store = Penstock.open(settings())) {
            RecordCollection<String, String> words = store.collection("words", Keys.string(), Json.of(String.class));
            try (Scan<Entry<String, String>> scan = words.scan(KeySpan.all())) {
                assertThat(scan.stream().count()).isEqualTo(2L * THREADS * TRANSACTIONS);
            }
            assertThat(store.admin().verify().violations()).isEmpty();
            assertThat(store.admin().backlog().total()).isZero();
        }
    }

    @Test
    void threadsMayScanWhileOthersWrite() throws Exception {
        try (Penstock store = Penstock.open(settings())) {
            RecordCollection<String, String> words = store.collection("words", Keys.string(), Json.of(String.class));
            try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
                Future<?> writer = threads.submit(() -> write(store, words, ConsistencyLevel.ATOMIC, 0));
                long seen = 0;
                while (!writer.isDone()) {
                    try (Scan<Entry<String, String>> scan = words.scan(KeySpan.all())) {
                        long now = scan.stream().count();
                        assertThat(now).isGreaterThanOrEqualTo(seen);
                        seen = now;
                    }
                }
                writer.get();
            }
        }
    }
}
