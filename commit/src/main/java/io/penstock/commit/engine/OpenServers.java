package io.penstock.commit.engine;

import io.penstock.commit.queue.NoQueues;
import io.penstock.commit.settings.Servers;
import io.penstock.core.local.LocalCloud;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.queue.QueueService;
import io.penstock.core.queue.sqs.SqsQueueService;
import io.penstock.core.queue.sqs.SqsSettings;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.ThreadTasks;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The servers of a store that was opened. Safe for use by many threads.
 *
 * @param directory of a local store; null on servers
 * @param owned whether the servers were opened with the store
 */
public record OpenServers(Services services, @Nullable LocalCloud directory, boolean owned) implements AutoCloseable {
    /**
     * Opens the directory or the bucket of a store, unless its servers were given.
     *
     * @param readOnly whether the store is only read, so that another process may have the directory open
     */
    public static OpenServers of(Servers servers, boolean readOnly) {
        return switch (servers) {
            case Servers.Local local -> local(local, readOnly);
            case Servers.Given on ->
                new OpenServers(new Services(on.objects(), on.queues(), on.tasks(), on.sharing()), null, false);
            case Servers.Bucket bucket -> remote(bucket);
        };
    }

    private static OpenServers local(Servers.Local local, boolean readOnly) {
        Tasks tasks = new ThreadTasks();
        LocalCloud cloud = open(local, readOnly, tasks);
        Servers.Sharing sharing =
                local.shared() || cloud.isAttached() ? Servers.Sharing.THIS_MACHINE : Servers.Sharing.NOBODY;
        return new OpenServers(new Services(cloud.objects(), cloud.queues(), tasks, sharing), cloud, true);
    }

    private static OpenServers remote(Servers.Bucket bucket) {
        Tasks tasks = new ThreadTasks();
        ObjectStore objects = bucket.address().open();
        try {
            QueueService queues = bucket.queued() ? queues(bucket, tasks) : NoQueues.INSTANCE;
            return new OpenServers(new Services(objects, queues, tasks, Servers.Sharing.ANYBODY), null, true);
        } catch (Throwable failure) { // a LinkageError too: queues need a part of the AWS SDK of their own
            objects.close();
            throw failure;
        }
    }

    private static QueueService queues(Servers.Bucket bucket, Tasks tasks) {
        SqsSettings sqs = SqsSettings.standard();
        sqs = bucket.address().region().map(sqs::region).orElse(sqs);
        return SqsQueueService.open(bucket.queueEndpoint().map(sqs::endpoint).orElse(sqs), tasks);
    }

    private static LocalCloud open(Servers.Local local, boolean readOnly, Tasks tasks) {
        if (readOnly) {
            return LocalCloud.look(local.directory(), tasks, local.durability());
        }
        return local.shared()
                ? LocalCloud.openOrAttach(local.directory(), tasks, local.durability())
                : LocalCloud.openAlone(local.directory(), tasks, local.durability());
    }

    /** The damage found in the servers themselves, a line each. */
    public List<String> damage() {
        return directory == null ? List.of() : directory.damage();
    }

    @Override
    public void close() {
        if (directory != null) {
            directory.close();
        } else if (owned) {
            try (ObjectStore unused = services.objects()) {
                services.queues().close();
            }
        }
    }
}
