package io.penstock.jobrunr;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.Json;
import io.penstock.KeySpan;
import io.penstock.Keys;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Settings;
import io.penstock.core.local.LocalCloud;
import io.penstock.core.task.ThreadTasks;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jobrunr.configuration.JobRunr;
import org.jobrunr.jobs.states.StateName;
import org.jobrunr.scheduling.JobScheduler;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two processes with JobRunr's own server on one directory, of which one is killed amidst its jobs. */
@Tag("slow")
class KilledServerTest {
    private static final int WORKERS = 3;
    private static final int JOBS = 20;
    private static final String KILLED = "killed";

    private final ThreadTasks tasks = new ThreadTasks();

    @TempDir
    private Path directory;

    /** The work of a job, and the process that does it. */
    public static final class Work {
        private static Penstock store;
        private static String server;

        private Work() {}

        /** Notes that the job is run here, and takes a while. */
        public static void run(int number) {
            RecordCollection.increment(runs(store), new Keys.Pair<>((long) number, server), 1);
            store.tasks().sleep(Duration.ofSeconds(2));
        }

        /** The process: a server on the directory of the first argument. */
        public static void main(String[] arguments) {
            ThreadTasks tasks = new ThreadTasks();
            server = arguments[1];
            store = Penstock.open(
                    Settings.on(LocalCloud.attach(Path.of(arguments[0]), tasks).objects(), tasks));
            JobRunr.configure()
                    .useStorageProvider(new PenstockStorageProvider(store))
                    .useBackgroundJobServer(
                            BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration()
                                    .andWorkerCount(WORKERS)
                                    .andPollInterval(Duration.ofSeconds(5)))
                    .initialize();
            tasks.sleep(Duration.ofDays(1));
        }
    }

    private static RecordCollection<Keys.Pair<Long, String>, Long> runs(Penstock store) {
        return store.collection("runs", Keys.pair(Keys.longs(), Keys.string()), Json.of(Long.class));
    }

    private Process start(String name) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Work.class.getName(),
                        directory.toString(),
                        name)
                .inheritIO()
                .start();
    }

    /** The jobs that each server has run, and how often. */
    private static Map<String, Map<Long, Long>> found(Penstock store) {
        Map<String, Map<Long, Long>> found = new HashMap<>(Map.of(KILLED, new TreeMap<>(), "other", new TreeMap<>()));
        runs(store)
                .scan(KeySpan.all())
                .page()
                .records()
                .forEach(run -> found.get(run.key().second()).put(run.key().first(), run.value()));
        return found;
    }

    @Test
    void itsJobsAreTakenUpByTheOther() throws Exception {
        try (LocalCloud cloud = LocalCloud.open(directory, tasks);
                Penstock store = Penstock.open(Settings.on(cloud.objects(), tasks));
                PenstockStorageProvider provider = new PenstockStorageProvider(store)) {
            JobScheduler scheduler = JobRunr.configure()
                    .useStorageProvider(provider)
                    .initialize()
                    .getJobScheduler();
            for (int number = 0; number < JOBS; number++) {
                int job = number;
                scheduler.enqueue(() -> Work.run(job));
            }
            Process killed = start(KILLED);
            Process other = start("other");
            try {
                await(() -> found(store).get(KILLED).size() > WORKERS
                        && !found(store).get("other").isEmpty());
                boolean unused = killed.toHandle().destroyForcibly();
                killed.waitFor();
                await(() -> provider.countJobs(StateName.SUCCEEDED) == JOBS);
            } finally {
                boolean unused = killed.toHandle().destroyForcibly();
                boolean unusedToo = other.toHandle().destroyForcibly();
            }
            requireEachOnce(found(store));
        }
    }

    /** Only those that the killed server was about to run were run again. */
    private static void requireEachOnce(Map<String, Map<Long, Long>> runs) {
        Map<Long, Long> first = runs.get(KILLED);
        Map<Long, Long> second = runs.get("other");
        assertThat(first.values()).containsOnly(1L);
        assertThat(second.values()).containsOnly(1L);
        assertThat(first.keySet().stream().filter(second::containsKey).count())
                .as("jobs that were run again")
                .isBetween(1L, (long) WORKERS);
        assertThat(first.keySet().stream()
                                .filter(job -> !second.containsKey(job))
                                .count()
                        + second.size())
                .isEqualTo(JOBS);
    }

    /** What a test waits for. */
    private interface Wanted {
        boolean holds();
    }

    private void await(Wanted wanted) {
        long end = tasks.nanoTime() + Duration.ofMinutes(3).toNanos();
        while (!wanted.holds()) {
            assertThat(tasks.nanoTime()).as("it takes too long").isLessThan(end);
            tasks.sleep(Duration.ofMillis(100));
        }
    }
}
