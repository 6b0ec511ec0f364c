package io.penstock.bench.experiment.kills;

import io.penstock.ConsistencyLevel;
import io.penstock.Penstock;
import io.penstock.Settings;
import io.penstock.bench.aws.AwsServers;
import io.penstock.core.task.Tasks;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Where the bank is kept: on servers, or in a directory.
 *
 * @param servers null: in the directory
 * @param directory null: on the servers
 * @param prefix of the store
 */
record BankPlace(@Nullable AwsServers servers, @Nullable String directory, String prefix, ConsistencyLevel level) {
    static BankPlace on(AwsServers servers, String prefix, ConsistencyLevel level) {
        return new BankPlace(servers, null, prefix, level);
    }

    static BankPlace in(Path directory, ConsistencyLevel level) {
        return new BankPlace(null, directory.toString(), "bank", level);
    }

    /** Opens the store, has it used, and closes it. */
    void use(Tasks tasks, Consumer<Penstock> body) {
        if (servers == null) {
            use(Settings.local(Path.of(String.valueOf(directory))), body);
            return;
        }
        try (AwsServers.Connection connection = servers.connect(tasks)) {
            use(Settings.on(connection.objects(), connection.queues(), tasks), body);
        }
    }

    private void use(Settings settings, Consumer<Penstock> body) {
        try (Penstock store = Penstock.open(KillStore.tune(settings.prefix(prefix), level))) {
            body.accept(store);
        }
    }
}
