package io.penstock.core.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.InvalidRequestException;
import io.penstock.core.queue.Delivery;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.ThreadTasks;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code kill -9} in the middle of writes: everything that was acknowledged is there afterwards. */
class LocalCloudKillTest {
    private static final int ACKNOWLEDGED = 200;

    @TempDir
    Path directory;

    private final Tasks tasks = new ThreadTasks();

    @Test
    void acknowledgedWritesSurviveTheProcess() throws IOException, InterruptedException {
        List<String> acknowledged = new ArrayList<>();
        // Twice, so that the second process works on what the first left behind.
        for (int round = 0; round < 2; round++) {
            Path target = directory.resolve("cloud");
            acknowledged.clear();
            acknowledged.addAll(writeAndKill(target));
            verify(target, acknowledged);
        }
    }

    private List<String> writeAndKill(Path target) throws IOException, InterruptedException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process writer = new ProcessBuilder(
                        java,
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Writer.class.getName(),
                        target.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        List<String> acknowledged = new ArrayList<>();
        try (BufferedReader lines = writer.inputReader()) {
            while (acknowledged.size() < ACKNOWLEDGED) {
                String line = lines.readLine();
                assertThat(line).as("the writer ended by itself").isNotNull();
                acknowledged.add(line);
            }
            assertThatThrownBy(() -> LocalCloud.open(target, tasks))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("owner=another process");
            // By its handle: Process.destroyForcibly would close the stream as well.
            writer.toHandle().destroyForcibly();
            // Lines that were still printed were acknowledged too; the last line may be cut off.
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                acknowledged.add(line);
            }
        } finally {
            writer.destroyForcibly().waitFor();
        }
        return acknowledged;
    }

    private void verify(Path target, List<String> acknowledged) throws IOException {
        try (LocalCloud cloud = LocalCloud.open(target, tasks)) {
            Set<String> sent = drain(cloud.queues().find("q").orElseThrow());
            for (String line : acknowledged.subList(0, acknowledged.size() - 1)) {
                String item = line.substring(line.indexOf(' ') + 1);
                if (line.startsWith("sent")) {
                    assertThat(sent).contains(item, item + "b");
                } else {
                    assertThat(cloud.objects()
                                    .get("o/" + item)
                                    .orElseThrow()
                                    .body()
                                    .toUtf8())
                            .isEqualTo(item);
                }
            }
            assertThat(Files.list(target.resolve("objects/unfinished"))).isEmpty();
            List<String> keys = cloud.objects().list("o/", "", 100_000).entries().stream()
                    .map(entry -> entry.key())
                    .toList();
            cloud.objects().deleteAll(keys);
        }
    }

    private static Set<String> drain(MessageQueue queue) {
        Set<String> found = new HashSet<>();
        List<Delivery> deliveries = queue.receive(10, Duration.ofHours(1), Duration.ZERO);
        while (!deliveries.isEmpty()) {
            deliveries.forEach(delivery -> found.add(delivery.body().toUtf8()));
            assertThat(queue.delete(deliveries.stream().map(Delivery::receipt).toList()))
                    .isEmpty();
            deliveries = queue.receive(10, Duration.ofHours(1), Duration.ZERO);
        }
        return found;
    }
}
