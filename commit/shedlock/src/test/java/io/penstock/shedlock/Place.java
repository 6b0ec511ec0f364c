package io.penstock.shedlock;

import io.penstock.Penstock;
import io.penstock.Settings;
import io.penstock.core.local.LocalCloud;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.memory.MemoryObjectStore;
import io.penstock.core.queue.memory.MemoryQueueService;
import io.penstock.testing.AwsServers;
import io.penstock.testing.RealServers;
import io.penstock.testing.ShiftedTasks;
import io.penstock.testkit.Profile;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.SimulatedCloud;
import io.penstock.testkit.Simulation;
import io.penstock.testkit.World;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;

/** The stores that the contract is tried on, each with two clients, as if each were in a process of its own. */
enum Place {
    MEMORY {
        @Override
        void run(Consumer<Clients> test) {
            ShiftedTasks tasks = new ShiftedTasks();
            Settings settings = Settings.on(new MemoryObjectStore(tasks), new MemoryQueueService(tasks), tasks);
            open(settings, settings, tasks::advance, test);
        }
    },
    DIRECTORY {
        @Override
        void run(Consumer<Clients> test) {
            ShiftedTasks tasks = new ShiftedTasks();
            try (LocalCloud cloud = LocalCloud.open(folder(), tasks)) {
                Settings settings = Settings.on(cloud.objects(), cloud.queues(), tasks);
                open(settings, settings, tasks::advance, test);
            }
        }

        private Path folder() {
            try {
                Path folder = Files.createTempDirectory("locks");
                folder.toFile().deleteOnExit();
                return folder;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    },
    /** A bucket alone, in virtual time, whose requests fail now and then. */
    BUCKET {
        @Override
        void run(Consumer<Clients> test) {
            Simulation simulation = new Simulation(Long.getLong("seed", 1));
            SimulatedCloud cloud = new SimulatedCloud(simulation, Profile.AWS_2026, World.ROUGH);
            SimulatedClient first = simulation.client("first");
            SimulatedClient second = simulation.client("second");
            boolean unused = simulation.run(() -> {
                open(
                        Settings.on(cloud.objects(first), first),
                        Settings.on(cloud.objects(second), second),
                        first::sleep,
                        test);
                return true;
            });
        }
    },
    LOCALSTACK {
        @Override
        void run(Consumer<Clients> test) {
            ShiftedTasks tasks = new ShiftedTasks();
            try (ObjectStore objects = AwsServers.objectsAt(RealServers.localstack(), Duration.ofSeconds(10))) {
                Settings settings = Settings.on(objects, tasks)
                        .prefix("locks-" + tasks.random().nextInt(1_000_000))
                        .advanced(advanced -> advanced.clockSkewMax(Duration.ofHours(1)));
                open(settings, settings, tasks::advance, test);
            }
        }
    };

    /** Two clients of one store, and a way to let time pass at both. */
    record Clients(Penstock first, Penstock second, Consumer<Duration> time) {
        void pass(Duration duration) {
            time.accept(duration);
        }
    }

    abstract void run(Consumer<Clients> test);

    static void open(Settings first, Settings second, Consumer<Duration> time, Consumer<Clients> test) {
        try (Penstock one = Penstock.open(first);
                Penstock other = Penstock.open(second)) {
            test.accept(new Clients(one, other, time));
        }
    }
}
