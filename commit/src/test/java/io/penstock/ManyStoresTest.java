package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.object.memory.MemoryObjectStore;
import io.penstock.core.task.Promise;
import io.penstock.core.task.Task;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.ThreadTasks;
import io.penstock.testkit.Profile;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.SimulatedCloud;
import io.penstock.testkit.Simulation;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** A process that has many stores open, such as one of each tenant: they share threads and memory. */
class ManyStoresTest {
    private static final int STORES = 100;

    private static RecordCollection<Long, String> notes(Penstock store) {
        return store.collection("notes", Keys.longs(), Json.of(String.class));
    }

    @Test
    void idleStoresHaveNoThread() {
        CountedTasks tasks = new CountedTasks();
        Settings settings = Settings.on(new MemoryObjectStore(tasks), tasks);
        List<Penstock> stores = new ArrayList<>();
        for (int i = 0; i < STORES; i++) {
            Penstock store = Penstock.open(settings.prefix("tenant-" + i));
            stores.add(store);
            notes(store).put(1L, "of " + i);
        }
        while (tasks.running.get() > 0) {
            tasks.sleep(Duration.ofMillis(10)); // the test's own limit ends it if there always are some
        }
        for (int i = 0; i < STORES; i++) {
            assertThat(notes(stores.get(i)).get(1L)).contains("of " + i);
            stores.get(i).close();
        }
    }

    @Test
    void pagesOfAllStoresTakeTheRoomOfOne() {
        Simulation simulation = new Simulation(1);
        SimulatedCloud cloud = new SimulatedCloud(simulation, Profile.AWS_2026, World.CALM);
        simulation.run(() -> {
            SimulatedClient machine = simulation.client("a");
            Settings settings = Settings.on(cloud.objects(machine), machine)
                    .pageBytes(4 << 10)
                    .poolBytes(128 << 10);
            List<Penstock> stores = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                Penstock store = Penstock.open(settings.prefix("tenant-" + i));
                stores.add(store);
                store.transact(transaction -> {
                    for (long key = 0; key < 300; key++) {
                        transaction.put(notes(store), key, "x".repeat(100));
                    }
                    return true;
                });
                store.admin().checkpoint();
                assertThat(records(store)).hasSize(300);
                assertThat(pooledBytes(settings)).isBetween(1.0, 128.0 * 1024);
            }
            for (Penstock store : stores) {
                assertThat(records(store)).hasSize(300);
                assertThat(pooledBytes(settings)).isBetween(1.0, 128.0 * 1024);
            }
            stores.forEach(Penstock::close);
            return true;
        });
    }

    private static List<Entry<Long, String>> records(Penstock store) {
        try (Scan<Entry<Long, String>> scan = notes(store).scan(KeySpan.all())) {
            return scan.stream().toList();
        }
    }

    private static double pooledBytes(Settings settings) {
        return settings.meters().find("penstock.pool.bytes").gauges().stream()
                .mapToDouble(gauge -> gauge.value())
                .sum();
    }

    /** Tasks that count the bodies that have a thread. */
    private static final class CountedTasks implements Tasks {
        private final Tasks threads = new ThreadTasks();
        private final AtomicInteger running = new AtomicInteger();

        private <T> Supplier<T> counted(Supplier<T> body) {
            return () -> {
                running.incrementAndGet();
                try {
                    return body.get();
                } finally {
                    running.decrementAndGet();
                }
            };
        }

        @Override
        public <T> Task<T> fork(String name, Supplier<T> body) {
            return threads.fork(name, counted(body));
        }

        @Override
        public void startAfter(Duration pause, String name, Runnable body) {
            threads.startAfter(
                    pause,
                    name,
                    () -> counted(() -> {
                                body.run();
                                return true;
                            })
                            .get());
        }

        @Override
        public <T> T uninterruptibly(String name, Supplier<T> body) {
            return threads.uninterruptibly(name, body);
        }

        @Override
        public <T> Promise<T> promise() {
            return threads.promise();
        }

        @Override
        public RandomGenerator random() {
            return threads.random();
        }

        @Override
        public long nowMillis() {
            return threads.nowMillis();
        }

        @Override
        public long nanoTime() {
            return threads.nanoTime();
        }

        @Override
        public void sleep(Duration duration) {
            threads.sleep(duration);
        }
    }
}
