package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.StoreException;
import io.penstock.core.UnavailableException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Interrupts at random moments, as cancelled futures and executors that shut down make them: a caller learns the truth
 * about its commit, and no other caller notices. A commit that was interrupted while it waited used to be reported as
 * not committed although it was.
 */
class InterruptTest {
    private static final int THREADS = 8;
    private static final int INTERRUPTS = Integer.getInteger("interrupts", 1000);

    private final long seed = Long.getLong("seed", 1);

    @TempDir
    private Path directory;

    private enum Told {
        COMMITTED,
        NOT_COMMITTED,
        UNKNOWN
    }

    /** NAIVE promises nothing of writers of one page, so there each thread has a collection of its own. */
    @ParameterizedTest
    @EnumSource
    void whatACallerIsToldIsTrue(ConsistencyLevel level) throws InterruptedException {
        ConcurrentMap<String, Told> told = new ConcurrentHashMap<>();
        List<StoreException> failures = new CopyOnWriteArrayList<>();
        try (Penstock store = Penstock.open(settings().level(level))) {
            commitUnderInterrupts(store, level == ConsistencyLevel.NAIVE ? THREADS : 1, told, failures);
        }
        Set<String> there = new HashSet<>();
        try (Penstock store = Penstock.open(settings())) {
            for (int i = 0; i < THREADS; i++) {
                try (Scan<Entry<String, String>> scan = words(store, i).scan(KeySpan.all())) {
                    scan.forEachRemaining(entry -> there.add(entry.key()));
                }
            }
        }
        for (Map.Entry<String, Told> one : told.entrySet()) {
            if (one.getValue() != Told.UNKNOWN) {
                assertThat(there.contains(one.getKey()))
                        .as("seed=%d level=%s %s", seed, level, one)
                        .isEqualTo(one.getValue() == Told.COMMITTED);
            }
        }
        assertThat(told.values()).as("something was committed").contains(Told.COMMITTED);
        assertThat(failures).as("a local store fails nobody").isEmpty();
    }

    private Settings settings() {
        return Settings.local(directory).checkpointInterval(Duration.ofMillis(200));
    }

    private static RecordCollection<String, String> words(Penstock store) {
        return words(store, 0);
    }

    private static RecordCollection<String, String> words(Penstock store, int number) {
        return store.collection("words." + number, Keys.string(), Json.of(String.class));
    }

    /** Half of the threads are virtual. */
    private void commitUnderInterrupts(
            Penstock store, int collections, ConcurrentMap<String, Told> told, List<StoreException> failures)
            throws InterruptedException {
        AtomicInteger running = new AtomicInteger(THREADS);
        AtomicInteger left = new AtomicInteger(INTERRUPTS);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int number = i;
            Thread.Builder builder = i % 2 == 0 ? Thread.ofPlatform() : Thread.ofVirtual();
            RecordCollection<String, String> words = words(store, number % collections);
            threads.add(builder.start(() -> {
                for (int n = 0; left.get() > 0; n++) {
                    commit(words, number + "." + n, told, failures);
                }
                running.decrementAndGet();
            }));
        }
        Random random = new Random(seed);
        while (running.get() > 0) {
            threads.get(random.nextInt(THREADS)).interrupt();
            left.decrementAndGet();
            Thread.sleep(0, 300_000 + random.nextInt(600_000));
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static void commit(
            RecordCollection<String, String> words,
            String key,
            ConcurrentMap<String, Told> told,
            List<StoreException> failures) {
        try {
            words.put(key, key);
            told.put(key, Told.COMMITTED);
        } catch (UnavailableException e) {
            told.put(key, Told.NOT_COMMITTED);
        } catch (OutcomeUnknownException e) {
            told.put(key, Told.UNKNOWN);
            failures.add(e);
        }
        Thread.interrupted(); // the next commit begins as one of a thread that nobody interrupted yet
    }

    @Test
    void aCommitOfAnInterruptedThreadCommitsAndLeavesItInterrupted() {
        try (Penstock store = Penstock.open(settings())) {
            RecordCollection<String, String> words = words(store);
            words.put("a", "1");
            Thread.currentThread().interrupt();
            words.put("b", "2");
            assertThat(Thread.interrupted()).isTrue();
            assertThat(words.get("b")).contains("2");
        }
    }

    /** Closing used to throw, and left the directory in use for a while. */
    @Test
    void closeOnAnInterruptedThreadFinishes() {
        Penstock store = Penstock.open(settings());
        words(store).put("a", "1");
        Thread.currentThread().interrupt();
        assertThatCode(store::close).doesNotThrowAnyException();
        assertThat(Thread.interrupted()).isTrue();
        try (Penstock again = Penstock.open(settings())) {
            assertThat(words(again).get("a")).contains("1");
            assertThat(again.admin().backlog().total()).isZero();
        }
    }
}
