package io.penstock.shedlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.Penstock;
import io.penstock.Settings;
import io.penstock.core.local.LocalCloud;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.ThreadTasks;
import io.penstock.testing.ShiftedTasks;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import net.javacrumbs.shedlock.core.LockConfiguration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that is killed while it holds a lock: another one gets it when its time is over, and not before. */
class KilledHolderTest {
    private static final LockConfiguration JOB =
            new LockConfiguration(Instant.now(), "job", Duration.ofMinutes(3), Duration.ZERO);

    private static Penstock store(LocalCloud cloud, Tasks tasks) {
        return Penstock.open(Settings.on(cloud.objects(), cloud.queues(), tasks));
    }

    /** The process: takes the lock in the directory of the argument, says so, and waits for its end. */
    public static void main(String[] arguments) {
        Tasks tasks = new ThreadTasks();
        Penstock store = store(LocalCloud.attach(Path.of(arguments[0]), tasks), tasks);
        System.out.println(new PenstockLockProvider(store).lock(JOB).isPresent() ? "held" : "refused");
        System.out.flush();
        tasks.sleep(Duration.ofDays(1));
    }

    @Test
    @Tag("slow")
    void itsLockEnds(@TempDir Path directory) throws Exception {
        ShiftedTasks tasks = new ShiftedTasks();
        try (LocalCloud cloud = LocalCloud.open(directory, tasks);
                Penstock store = store(cloud, tasks)) {
            PenstockLockProvider provider = new PenstockLockProvider(store);
            Process holder = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            KilledHolderTest.class.getName(),
                            directory.toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            try (BufferedReader said = holder.inputReader()) {
                assertThat(said.readLine()).isEqualTo("held");
                assertThat(provider.lock(JOB)).isEmpty();
            } finally {
                boolean unused = holder.toHandle().destroyForcibly();
                holder.waitFor();
            }
            assertThat(provider.lock(JOB)).isEmpty();
            tasks.advance(Duration.ofMinutes(4));
            assertThat(provider.lock(JOB)).isPresent();
        }
    }
}
