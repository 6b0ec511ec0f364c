package io.penstock.spring.session;

import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Settings;
import io.penstock.core.local.LocalCloud;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.memory.MemoryObjectStore;
import io.penstock.core.queue.memory.MemoryQueueService;
import io.penstock.testing.AwsServers;
import io.penstock.testing.RealServers;
import io.penstock.testing.ShiftedTasks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.function.Consumer;

/** Two servers of an application, each with a client of the store, as if each were in a process of its own. */
record Servers(Penstock first, Penstock second, ShiftedTasks tasks) {
    /** The stores that the contract is tried on. */
    enum Place {
        MEMORY {
            @Override
            void run(Consumer<Servers> test) {
                ShiftedTasks tasks = new ShiftedTasks();
                open(Settings.on(new MemoryObjectStore(tasks), new MemoryQueueService(tasks), tasks), tasks, test);
            }
        },
        DIRECTORY {
            @Override
            void run(Consumer<Servers> test) {
                ShiftedTasks tasks = new ShiftedTasks();
                try (LocalCloud cloud = LocalCloud.open(Files.createTempDirectory("sessions"), tasks)) {
                    open(Settings.on(cloud.objects(), cloud.queues(), tasks), tasks, test);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        },
        LOCALSTACK {
            @Override
            void run(Consumer<Servers> test) {
                ShiftedTasks tasks = new ShiftedTasks();
                try (ObjectStore objects = AwsServers.objectsAt(RealServers.localstack(), Duration.ofSeconds(10))) {
                    Settings settings = Settings.on(objects, tasks)
                            .prefix("sessions-" + tasks.random().nextInt(1_000_000))
                            .advanced(advanced -> advanced.clockSkewMax(Duration.ofHours(1)));
                    open(settings, tasks, test);
                }
            }
        };

        abstract void run(Consumer<Servers> test);

        static void open(Settings settings, ShiftedTasks tasks, Consumer<Servers> test) {
            try (Penstock one = Penstock.open(settings);
                    Penstock other = Penstock.open(settings)) {
                test.accept(new Servers(one, other, tasks));
            }
        }
    }

    RecordCollection<String, StoredSession> records() {
        return second.collection(StoredSession.class);
    }

    /** Lets time pass for the store; sessions have the clock of the machine. */
    void pass(Duration duration) {
        tasks.advance(duration);
    }
}
