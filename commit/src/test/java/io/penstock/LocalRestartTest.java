package io.penstock;

import static io.penstock.SimulatedStore.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.CorruptDataException;
import io.penstock.core.Durability;
import io.penstock.core.local.LocalCloud;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.ThreadTasks;
import io.penstock.testing.ShiftedTasks;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Processes on a local store that are killed and started again: the next one reads what was acknowledged as soon as the
 * store is open. A program that had counted to 100 used to start at 1 again, and overwrote its count.
 */
class LocalRestartTest {
    private static final int KILLS = Integer.getInteger("kills", 100);

    private final long seed = Long.getLong("seed", 1);
    private final Tasks tasks = new ThreadTasks();

    @TempDir
    private Path directory;

    @Test
    void countingGoesOnWhereItWasKilled() throws Exception {
        assertThat(lastCount(program(ConsistencyLevel.ATOMIC, 100))).isEqualTo(100);
        assertThat(lastCount(program(ConsistencyLevel.ATOMIC, 1))).isEqualTo(101);
    }

    /** The clients of the first life leave messages in all queues, at all levels with queues. */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NAIVE", "SNAPSHOT", "SERIALIZABLE"})
    void aStoreThatIsOpenShowsWhatWasAcknowledgedBefore(ConsistencyLevel level) {
        leaveBehind(level);
        try (Penstock store = Penstock.open(Settings.local(directory))) {
            assertThat(CountingProgram.counter(store).read()).isEqualTo(100);
        }
    }

    @Test
    void evenIfTheClientDoesNotCheckpoint() {
        leaveBehind(ConsistencyLevel.ATOMIC);
        try (Penstock store = Penstock.open(Settings.local(directory).checkpointing(false))) {
            assertThat(CountingProgram.counter(store).read()).isEqualTo(100);
        }
    }

    @Test
    void aReadOnlyHandleLeavesRecoveryToTheNextOne() {
        leaveBehind(ConsistencyLevel.ATOMIC);
        try (Penstock store = Penstock.open(Settings.local(directory).readOnly(true))) {
            assertThat(store.admin().backlog().total()).isEqualTo(100);
        }
        try (Penstock store = Penstock.open(Settings.local(directory))) {
            assertThat(CountingProgram.counter(store).read()).isEqualTo(100);
        }
    }

    /** What damage hides must not keep the rest from its owner. */
    @Test
    void aStoreWithADamagedPageOpens() throws IOException {
        leaveBehind(ConsistencyLevel.MONOTONIC);
        try (Penstock store = Penstock.open(Settings.local(directory))) {
            assertThat(CountingProgram.counter(store).read()).isEqualTo(100);
        }
        leaveBehind(ConsistencyLevel.ATOMIC);
        try (Stream<Path> files = Files.walk(directory.resolve("objects"))) {
            for (Path page : files.filter(file -> file.toString().contains("pages") && Files.isRegularFile(file))
                    .toList()) {
                byte[] bytes = Files.readAllBytes(page);
                bytes[bytes.length - 1] ^= 1;
                Files.write(page, bytes);
            }
        }
        try (Penstock store = Penstock.open(Settings.local(directory))) {
            assertThatThrownBy(() -> CountingProgram.counter(store).read()).isInstanceOf(CorruptDataException.class);
            assertThat(store.admin().backlog().total()).isZero();
            assertThat(store.admin().quarantine().list()).isNotEmpty();
            RecordCollection<String, String> others = store.collection("others", Keys.string(), Json.of(String.class));
            others.put("a", "1");
            store.admin().checkpoint();
            assertThat(others.get("a")).contains("1");
        }
    }

    /** One turned bit of a commit log, or of its horizon, used to keep the whole store from being opened. */
    @ParameterizedTest
    @ValueSource(strings = {"log", "domains", "catalog"})
    void aStoreWithADamagedCommitLogOpens(String folder) throws IOException {
        LocalCloud cloud = LocalCloud.open(directory, tasks, Durability.OS_CACHE);
        Penstock abandoned = Penstock.open(Settings.on(cloud.objects(), cloud.queues(), tasks)
                .level(ConsistencyLevel.ATOMIC)
                .checkpointing(false));
        words(abandoned).put("a", "1");
        sell(abandoned, "a");
        abandoned.admin().checkpoint();
        words(abandoned).put("a", "2");
        sell(abandoned, "b");
        cloud.close();
        turnABit(directory.resolve("objects/penstock.d/" + folder + ".d"));
        try (Penstock store = Penstock.open(Settings.local(directory))) {
            assertThatThrownBy(() -> sell(store, "c")).isInstanceOf(CorruptDataException.class);
            assertThat(words(store).get("a")).contains("2");
            words(store).put("a", "3");
        }
        try (Penstock store = Penstock.open(Settings.local(directory))) {
            assertThat(words(store).get("a")).contains("3");
            assertThat(store.admin().verify().violations()).anyMatch(line -> line.contains("shop"));
        }
    }

    private static void sell(Penstock store, String key) {
        RecordCollection<String, String> shop =
                store.collection("shop", Keys.string(), Json.of(String.class)).inDomain("shop");
        store.transact(ConsistencyLevel.SERIALIZABLE, transaction -> {
            transaction.put(shop, key, "1");
            return true;
        });
    }

    /** Of what belongs to the shop. A mark beside a definition says nothing that a bit could change. */
    private static void turnABit(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            Path file = files.filter(Files::isRegularFile)
                    .filter(path -> path.toString().contains("shop"))
                    .filter(path -> !path.toString().contains(".mark"))
                    .max(Comparator.naturalOrder())
                    .orElseThrow();
            byte[] bytes = Files.readAllBytes(file);
            bytes[bytes.length - 1] ^= 1;
            Files.write(file, bytes);
        }
    }

    /** The clock is set back by a day between the two lives: which client is dead must not depend on it. */
    @Test
    void aClockThatWasSetBackChangesNothing() {
        ShiftedTasks ahead = new ShiftedTasks();
        ahead.advance(Duration.ofDays(1));
        leaveBehind(ConsistencyLevel.MONOTONIC, ahead);
        try (Penstock store = Penstock.open(Settings.local(directory))) {
            assertThat(CountingProgram.counter(store).read()).isEqualTo(100);
        }
    }

    /** Counts to 100 and ends without closing: nothing is forwarded or checkpointed. */
    private void leaveBehind(ConsistencyLevel level) {
        leaveBehind(level, tasks);
    }

    private void leaveBehind(ConsistencyLevel level, Tasks clock) {
        LocalCloud cloud = LocalCloud.open(directory, clock, Durability.OS_CACHE);
        Penstock abandoned = Penstock.open(Settings.on(cloud.objects(), cloud.queues(), clock)
                .level(level)
                .checkpointing(false)
                .advanced(advanced -> advanced.forwardInterval(Duration.ofHours(1))));
        CountingProgram.Counter counter = CountingProgram.counter(abandoned);
        for (long count = 1; count <= 100; count++) {
            counter.write(count);
        }
        cloud.close();
    }

    /** Each life continues from the last count that the one before had acknowledged, or had under way. */
    @Test
    @Tag("long")
    void killsAtRandomMoments() throws Exception {
        Random random = new Random(seed);
        long acknowledged = 0;
        List<ConsistencyLevel> levels = Levels.except(
                        ConsistencyLevel.NAIVE,
                        ConsistencyLevel.BASIC,
                        ConsistencyLevel.SNAPSHOT,
                        ConsistencyLevel.SERIALIZABLE)
                .reversed();
        for (int kill = 1; kill <= KILLS; kill++) {
            ConsistencyLevel level = levels.get(random.nextInt(levels.size()));
            Process process = program(level, Integer.MAX_VALUE);
            try (BufferedReader counts = process.inputReader(StandardCharsets.UTF_8)) {
                long first = count(counts.readLine());
                assertThat(first).as("seed=%d kill=%d", seed, kill).isBetween(acknowledged, acknowledged + 1);
                acknowledged = first;
                tasks.sleep(Duration.ofMillis(random.nextInt(300)));
                // By its handle: Process.destroyForcibly also closes the pipe, with the last counts in it.
                process.toHandle().destroyForcibly();
                for (String line = counts.readLine(); line != null; line = counts.readLine()) {
                    acknowledged = line.endsWith(";") ? count(line) : acknowledged;
                }
            } finally {
                process.destroyForcibly().waitFor();
            }
        }
        assertThat(acknowledged).as("seed=%d: nothing was counted", seed).isGreaterThan(KILLS);
    }

    private Process program(ConsistencyLevel level, int counts) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xshare:auto",
                        "-cp",
                        System.getProperty("java.class.path"),
                        CountingProgram.class.getName(),
                        directory.toString(),
                        level.name(),
                        Integer.toString(counts))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static long lastCount(Process process) throws IOException, InterruptedException {
        try (BufferedReader counts = process.inputReader(StandardCharsets.UTF_8)) {
            long last = counts.lines().mapToLong(LocalRestartTest::count).max().orElseThrow();
            process.waitFor();
            return last;
        }
    }

    private static long count(String line) {
        assertThat(line).startsWith("at ").endsWith(";");
        return Long.parseLong(line.substring(3, line.length() - 1));
    }
}
