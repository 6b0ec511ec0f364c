package io.penstock.bench.kills;

import io.penstock.ConsistencyLevel;
import io.penstock.Penstock;
import io.penstock.Settings;
import io.penstock.bench.aws.AwsServers;
import io.penstock.core.local.LocalCloud;
import io.penstock.core.task.Tasks;
import io.penstock.testing.SharedDirectory;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The place of the store: servers, or a directory.
 *
 * @param servers null: in the directory
 * @param directory null: on the servers
 * @param queued whether a store on servers has queues
 * @param prefix of the store
 */
record KillPlace(
        @Nullable AwsServers servers,
        @Nullable String directory,
        boolean queued,
        String prefix,
        ConsistencyLevel level) {
    static KillPlace on(AwsServers servers, String prefix, ConsistencyLevel level) {
        return new KillPlace(servers, null, true, prefix, level);
    }

    /** The place of a store in a bucket alone. */
    static KillPlace inBucket(AwsServers servers, String prefix, ConsistencyLevel level) {
        return new KillPlace(servers, null, false, prefix, level);
    }

    static KillPlace in(Path directory, ConsistencyLevel level) {
        return new KillPlace(null, directory.toString(), true, "bank", level);
    }

    /** Opens the store, has it used, and closes it. */
    void use(Tasks tasks, UnaryOperator<Settings> change, Consumer<Penstock> body) {
        if (servers == null) {
            use(Settings.local(Path.of(String.valueOf(directory))), change, body);
            return;
        }
        try (AwsServers.Connection connection = servers.connect(tasks)) {
            Settings settings = queued
                    ? Settings.on(connection.objects(), connection.queues(), tasks)
                    : Settings.on(connection.objects(), tasks);
            use(settings, change, body);
        }
    }

    /**
     * As {@link #use}, beside other processes: of a directory one is the owner, and the others attach to whoever is,
     * for which they wait. No machine dies, so nothing is forced to disk.
     */
    void share(boolean owner, Tasks tasks, UnaryOperator<Settings> change, Consumer<Penstock> body) {
        if (servers != null) {
            use(tasks, change, body);
            return;
        }
        Path path = Path.of(String.valueOf(directory));
        try (LocalCloud cloud = SharedDirectory.open(owner, path, tasks)) {
            use(Settings.on(cloud.objects(), cloud.queues(), tasks), change, body);
        }
    }

    private void use(Settings settings, UnaryOperator<Settings> change, Consumer<Penstock> body) {
        try (Penstock store = Penstock.open(change.apply(KillStore.tune(settings.prefix(prefix), level)))) {
            body.accept(store);
        }
    }

    /** The words by which a person finds the store. */
    String found() {
        return servers == null ? String.valueOf(directory) : servers.bucket() + "/" + prefix;
    }
}
