package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.ConflictException;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.task.Task;
import io.penstock.core.task.ThreadTasks;
import io.penstock.testing.Buckets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A store without queues on real servers: clients that race for one record, and a restart. */
@Tag("servers")
class BucketOnServersTest {
    private static final int CLIENTS = 3;
    private static final int THREADS = 4;
    private static final int EACH = 10;

    @ParameterizedTest
    @ValueSource(strings = {"minio", "versitygw", "localstack", "gcs", "azurite"})
    void clientsThatRaceLoseNothing(String server) {
        ThreadTasks tasks = new ThreadTasks();
        try (ObjectStore objects = Buckets.open(server, Duration.ofSeconds(10))) {
            Settings settings = Settings.on(objects, tasks).prefix("only-" + Long.toHexString(System.nanoTime()));
            race(settings, tasks);
            try (Penstock store = Penstock.open(settings)) {
                assertThat(counters(store).get("all")).contains((long) CLIENTS * THREADS * EACH);
                store.admin().checkpoint();
                assertThat(store.admin().verify().violations()).isEmpty();
                assertThat(counters(store).get("all")).contains((long) CLIENTS * THREADS * EACH);
            }
        }
    }

    private static void race(Settings settings, ThreadTasks tasks) {
        List<Penstock> stores = new ArrayList<>();
        List<Task<Boolean>> threads = new ArrayList<>();
        for (int client = 0; client < CLIENTS; client++) {
            Penstock store = Penstock.open(settings);
            stores.add(store);
            for (int thread = 0; thread < THREADS; thread++) {
                String own = "own" + client + "-" + thread;
                threads.add(tasks.start("user", () -> count(counters(store), own)));
            }
        }
        threads.forEach(Task::join);
        stores.forEach(Penstock::close);
    }

    private static boolean count(RecordCollection<String, Long> counters, String own) {
        for (int i = 0; i < EACH; i++) {
            counters.put(own, (long) i); // races for the segment, not for the record
            add(counters);
        }
        return true;
    }

    private static void add(RecordCollection<String, Long> counters) {
        while (true) {
            try {
                var unused = counters.update("all", count -> Optional.of(count.orElse(0L) + 1));
                return;
            } catch (ConflictException again) {
                // others were first for the whole budget
            }
        }
    }

    private static RecordCollection<String, Long> counters(Penstock store) {
        return store.collection("counters", Keys.string(), Json.of(Long.class));
    }
}
