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

/** The options that select a store: one in a directory, or one on S3 and SQS. */
final class StoreOptions {
    @Option(names = "--dir", paramLabel = "D", description = "the directory of a local store")
    private @Nullable Path directory;

    @Option(names = "--bucket", paramLabel = "B", description = "the bucket of a store on S3 and SQS")
    private @Nullable String bucket;

    @Option(
            names = "--region",
            paramLabel = "R",
            description = "region of bucket and queues; default: that of the AWS SDK")
    private @Nullable String region;

    @Option(names = "--endpoint-s3", paramLabel = "URI", description = "a server other than AWS's")
    private @Nullable URI s3;

    @Option(names = "--endpoint-sqs", paramLabel = "URI", description = "a server other than AWS's")
    private @Nullable URI sqs;

    @Option(names = "--path-style", description = "puts the bucket's name into the path, not the host name")
    private boolean pathStyle;

    @Option(names = "--prefix", paramLabel = "P", description = "the store's prefix; default: penstock")
    private String prefix = "penstock";

    @Option(names = "--partitions", paramLabel = "N", description = "number of PU queues for each tree; default: 1")
    private int partitions = 1;

    /** Opens the selected store with settings completed by {@code change}, and runs {@code body} on it. */
    void open(UnaryOperator<Settings> change, StoreAction body) {
        Path local = directory;
        String remote = bucket;
        if (local != null && remote == null) {
            openLocal(local, change, body);
        } else if (local == null && remote != null) {
            openRemote(remote, change, body);
        } else {
            throw new InvalidRequestException("no store given; give either --dir or --bucket");
        }
    }

    private void openLocal(Path local, UnaryOperator<Settings> change, StoreAction body) {
        // A read must not create a store.
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

    /** The work of a command on an open store. */
    @FunctionalInterface
    interface StoreAction {
        void run(Penstock store);
    }
}
