package io.penstock.core.pool.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.PageId;
import io.penstock.core.TreeId;
import io.penstock.core.object.ObjectVersion;
import io.penstock.core.pool.PageTier.Kept;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.ThreadTasks;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code kill -9} in the middle of writes: what is found afterwards is whole, and the directory is free again. */
class DiskTierKillTest {
    private static final int PAGES = 64;
    private static final int ROUNDS = 3;
    private static final long BYTES_MAX = 4 << 20;

    @TempDir
    Path directory;

    private final Tasks tasks = new ThreadTasks();

    @Test
    void whatIsFoundAfterAKillIsWhole() throws IOException, InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            writeAndKill();
            int found = 0;
            try (DiskTier tier = DiskTier.open(directory, BYTES_MAX, tasks)) {
                for (int i = 0; i < PAGES; i++) {
                    Optional<Kept> kept = tier.find(id(i));
                    if (kept.isPresent()) {
                        found++;
                        long seed = Long.parseLong(kept.get().version().tag());
                        assertThat(kept.get().bytes()).isEqualTo(body(i, seed));
                    }
                }
                assertThat(tier.stats().damaged()).isZero();
            }
            assertThat(found).isPositive();
        }
    }

    private void writeAndKill() throws IOException, InterruptedException {
        Process writer = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Writer.class.getName(),
                        directory.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader lines = writer.inputReader()) {
            for (int i = 0; i < 5; i++) {
                assertThat(lines.readLine()).as("the writer ended by itself").isNotNull();
            }
            assertThatThrownBy(() -> DiskTier.open(directory, BYTES_MAX, tasks))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("owner=another process");
        } finally {
            writer.destroyForcibly().waitFor();
        }
    }

    private static PageId id(int number) {
        return new PageId(new TreeId(7), number + 1);
    }

    private static Bytes body(int number, long seed) {
        byte[] body = new byte[10_000 + 1_000 * number];
        new java.util.SplittableRandom(seed * PAGES + number).nextBytes(body);
        return Bytes.wrap(body);
    }

    /** Writes pages over and over until it is killed; tells of every hundred. */
    static final class Writer {
        private Writer() {}

        public static void main(String[] args) {
            DiskTier tier = DiskTier.open(Path.of(args[0]), BYTES_MAX, new ThreadTasks());
            for (long seed = 0; ; seed++) {
                for (int i = 0; i < PAGES; i++) {
                    tier.keep(id(i), new Kept(body(i, seed), new ObjectVersion(String.valueOf(seed))));
                }
                System.out.println(seed);
            }
        }
    }
}
