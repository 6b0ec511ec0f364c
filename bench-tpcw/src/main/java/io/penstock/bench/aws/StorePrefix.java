package io.penstock.bench.aws;

import io.penstock.core.object.Listing;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectStores;
import io.penstock.core.queue.QueueService;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.List;

/** The objects and queues of all stores whose names begin with one prefix. */
public record StorePrefix(AwsServers servers, String prefix) {
    /** The rounds of listing and deleting queues: SQS may list a deleted queue for a while, and omit a new one. */
    private static final int ROUNDS = 3;

    private static final Duration PAUSE = Duration.ofSeconds(1);

    /** Removes all objects and queues. No client may use them. */
    public void remove(Tasks tasks) {
        try (AwsServers.Connection connection = servers.connect(tasks)) {
            removeObjects(connection.objects(), prefix);
            for (int round = 0; round < ROUNDS; round++) {
                if (!removeQueues(connection.queues())) {
                    return;
                }
                tasks.sleep(PAUSE);
            }
        }
    }

    /** Removes the objects whose keys begin with {@code prefix}. */
    public static void removeObjects(ObjectStore objects, String prefix) {
        objects.deleteAll(ObjectStores.listAll(objects, prefix).stream()
                .map(Listing.Entry::key)
                .toList());
    }

    private boolean removeQueues(QueueService queues) {
        List<String> names = queues.list(prefix);
        names.forEach(queues::delete);
        return !names.isEmpty();
    }
}
