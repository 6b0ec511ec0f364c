package io.penstock.bench.kills;

import io.penstock.ConsistencyLevel;
import io.penstock.Penstock;
import io.penstock.Settings;
import io.penstock.bench.aws.AwsServers;
import io.penstock.core.task.Tasks;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The place of the store: servers, or a directory.
 *
 * @param servers null: in the directory
 * @param directory null: on the servers
 * @param prefix of the store
 */
record KillPlace(@Nullable AwsServers servers, @Nullable String directory, String prefix, ConsistencyLevel level) {
    static KillPlace on(AwsServers servers, String prefix, ConsistencyLevel level) {
        return new KillPlace(servers, null, prefix, level);
    }

    static KillPlace in(Path directory, ConsistencyLevel level) {
        return new KillPlace(null, directory.toString(), "bank", level);
    }

    /** Opens the store, has it used, and closes it. */
    void use(Tasks tasks, UnaryOperator<Settings> change, Consumer<Penstock> body) {
        if (servers == null) {
            use(Settings.local(Path.of(String.valueOf(directory))), change, body);
            return;
        }
        try (AwsServers.Connection connection = servers.connect(tasks)) {
            use(Settings.on(connection.objects(), connection.queues(), tasks), change, body);
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
