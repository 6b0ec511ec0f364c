package io.penstock.commit.simulation.surface;

import io.penstock.Settings;
import io.penstock.core.local.LocalCloud;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.task.Tasks;
import io.penstock.testing.AwsServers;
import io.penstock.testing.Buckets;
import io.penstock.testing.RealServers;
import io.penstock.testing.SharedDirectory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BiConsumer;

/**
 * The real place of a store: a directory, which the first process owns and others attach to, or a prefix on a
 * server: LocalStack, or another for stores without queues.
 *
 * @param directory empty: a server
 */
record Place(String directory, String prefix) {
    /** The server of buckets without queues, by its name in {@link Buckets}. */
    static final String SERVER = System.getProperty("penstock.server", "localstack");

    /** A server that is busy may be silent for long. */
    private static final Duration SILENCE = Duration.ofSeconds(20);

    String saved() {
        return prefix + "-saved";
    }

    /** Connects, and hands over settings and the object store. No machine dies, so nothing is forced to disk. */
    void use(boolean owner, Drawn drawn, Tasks tasks, BiConsumer<Settings, ObjectStore> body) {
        int who = (int) ProcessHandle.current().pid();
        if (!directory.isEmpty()) {
            Path path = Path.of(directory);
            try (LocalCloud cloud = SharedDirectory.open(owner, path, tasks)) {
                body.accept(
                        drawn.apply(
                                Settings.on(cloud.objects(), cloud.queues(), tasks)
                                        .prefix(prefix),
                                who),
                        cloud.objects());
            }
        } else if (drawn.has(Feature.BUCKET_ONLY)) {
            try (ObjectStore objects = Buckets.open(SERVER, SILENCE)) {
                body.accept(drawn.apply(Settings.on(objects, tasks).prefix(prefix), who), objects);
            }
        } else {
            try (AwsServers servers = AwsServers.at(RealServers.localstack(), SILENCE, tasks)) {
                Settings settings = Settings.on(servers.objects(), servers.queues(), tasks);
                body.accept(drawn.apply(settings.prefix(prefix), who), servers.objects());
            }
        }
    }
}
