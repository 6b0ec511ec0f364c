package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.task.Tasks;
import io.penstock.core.task.ThreadTasks;
import io.penstock.testing.AwsServers;
import io.penstock.testing.RealServers;
import io.penstock.testing.RealServers.Endpoint;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/**
 * A process on real servers counts to 100 and is killed: a client that was open all the time counts on within twice the
 * time after which a silent client counts as dead, and the process that starts under its name at once.
 */
@Tag("servers")
@Tag("long")
class RestartOnServersTest {
    /** What a busy machine may take besides. */
    private static final Duration LENIENCE = Duration.ofSeconds(30);

    private final Tasks tasks = new ThreadTasks();
    private final Endpoint endpoint = RealServers.localstack();
    private final String prefix = "restart-" + Long.toHexString(tasks.random().nextLong());

    @Test
    void whoWasOpenAllTheTimeCountsOn(TestReporter reporter) throws IOException, InterruptedException {
        try (AwsServers servers = AwsServers.at(endpoint, Duration.ofSeconds(10), tasks);
                Penstock other = Penstock.open(CountingOnServers.settings(servers, tasks, prefix))) {
            CountingProgram.Counter counter = CountingProgram.counter(other);
            assertThat(counter.read()).isZero();
            kill("", 100);
            long killed = tasks.nanoTime();
            long most =
                    CountingOnServers.DEAD_AFTER.multipliedBy(2).plus(LENIENCE).toNanos();
            long count = counter.read();
            while (count < 100 && tasks.nanoTime() - killed < most) {
                tasks.sleep(Duration.ofMillis(250));
                count = counter.read();
            }
            reporter.publishEntry("seconds", seconds(killed));
            assertThat(count).isEqualTo(100);
            counter.write(count + 1);
            assertThat(counter.read()).isEqualTo(101);
        }
    }

    @Test
    void whoHasItsNameCountsOnAtOnce(TestReporter reporter) throws IOException, InterruptedException {
        assertThat(kill("counter-0", 100)).isEqualTo(100);
        long killed = tasks.nanoTime();
        assertThat(kill("counter-0", 1)).isEqualTo(101);
        reporter.publishEntry("seconds", seconds(killed)); // its start included
    }

    private String seconds(long sinceNanos) {
        return String.valueOf(Duration.ofNanos(tasks.nanoTime() - sinceNanos).toMillis() / 1e3);
    }

    /** Lets a process count so often, and kills it; returns its last count. */
    private long kill(String name, int times) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        CountingOnServers.class.getName(),
                        endpoint.s3().toString(),
                        String.valueOf(endpoint.sqs()),
                        endpoint.accessKey(),
                        endpoint.secretKey(),
                        prefix,
                        name,
                        Integer.toString(times))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        long last = -1;
        try (BufferedReader counts = process.inputReader(StandardCharsets.UTF_8)) {
            for (int lines = 0; lines <= times; lines++) {
                String line = counts.readLine();
                assertThat(line).as("after %d", last).startsWith("at ").endsWith(";");
                last = Long.parseLong(line.substring(3, line.length() - 1));
            }
        } finally {
            process.destroyForcibly().waitFor();
        }
        return last;
    }
}
