package io.penstock.cli;

import io.penstock.Layout;
import io.penstock.Penstock;
import io.penstock.Settings;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.s3.S3ObjectStore;
import io.penstock.core.object.s3.S3Settings;
import io.penstock.core.queue.QueueService;
import io.penstock.core.queue.sqs.SqsQueueService;
import io.penstock.core.queue.sqs.SqsSettings;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.ThreadTasks;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which store a command is for: one in a directory, or one on S3 and SQS. */
final class StoreOptions {
    @SuppressWarnings("UnusedVariable") // picocli acts on it
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "says this")
    private boolean help;

    @Option(names = "--dir", paramLabel = "D", description = "the directory of a local store")
    private @Nullable Path directory;

    @Option(names = "--bucket", paramLabel = "B", description = "the bucket of a store on S3 and SQS")
    private @Nullable String bucket;

    @Option(
            names = "--region",
            paramLabel = "R",
            description = "of bucket and queues; default: as the AWS SDK finds it")
    private @Nullable String region;

    @Option(names = "--endpoint-s3", paramLabel = "URI", description = "a server other than AWS's")
    private @Nullable URI s3;

    @Option(names = "--endpoint-sqs", paramLabel = "URI", description = "a server other than AWS's")
    private @Nullable URI sqs;

    @Option(names = "--path-style", description = "the bucket's name is in the path, not in the host's name")
    private boolean pathStyle;

    @Option(names = "--prefix", paramLabel = "P", description = "the store's prefix; default: penstock")
    private String prefix = "penstock";

    @Option(names = "--partitions", paramLabel = "N", description = "PU queues for each tree; default: 1")
    private int partitions = 1;

    /** Runs {@code body} on the store, opened with the settings these options name and {@code change} completes. */
    void open(UnaryOperator<Settings> change, StoreAction body) {
        Path local = directory;
        String remote = bucket;
        if (local != null && remote == null) {
            openLocal(local, change, body);
        } else if (local == null && remote != null) {
            openRemote(remote, change, body);
        } else {
            throw new InvalidRequestException("which store is not said; give either --dir or --bucket");
        }
    }

    private void openLocal(Path local, UnaryOperator<Settings> change, StoreAction body) {
        // A store that is only looked at is not to come into being by that.
        if (!Files.isDirectory(local)) {
            throw new InvalidRequestException("there is no such directory; check --dir", "dir", local);
        }
        use(Settings.local(local), change, body);
    }

    private void openRemote(String remote, UnaryOperator<Settings> change, StoreAction body) {
        S3Settings objectSettings =
                S3Settings.bucket(remote).pathStyle(pathStyle).createBucket(false);
        SqsSettings queueSettings = SqsSettings.standard();
        if (region != null) {
            objectSettings = objectSettings.region(region);
            queueSettings = queueSettings.region(region);
        }
        if (s3 != null) {
            objectSettings = objectSettings.endpoint(s3);
        }
        if (sqs != null) {
            queueSettings = queueSettings.endpoint(sqs);
        }
        Tasks tasks = new ThreadTasks();
        try (ObjectStore objects = S3ObjectStore.open(objectSettings);
                QueueService queues = SqsQueueService.open(queueSettings, tasks)) {
            use(Settings.on(objects, queues, tasks).sweeping(false), change, body);
        }
    }

    private void use(Settings where, UnaryOperator<Settings> change, StoreAction body) {
        Settings settings = where.prefix(prefix).layout(Layout.partitioned(partitions));
        try (Penstock store = Penstock.open(change.apply(settings))) {
            body.run(store);
        }
    }

    /** What a command does with an open store. */
    @FunctionalInterface
    interface StoreAction {
        void run(Penstock store);
    }
}
