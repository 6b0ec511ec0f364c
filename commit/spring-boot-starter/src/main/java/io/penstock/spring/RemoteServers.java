package io.penstock.spring;

import io.penstock.Settings;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.queue.QueueService;
import io.penstock.core.task.Tasks;
import org.jspecify.annotations.Nullable;

/**
 * The servers of a store on S3, closed after it.
 *
 * @param queues null in a store without queues
 */
record RemoteServers(ObjectStore objects, @Nullable QueueService queues, Tasks tasks) implements AutoCloseable {
    Settings settings() {
        return queues == null ? Settings.on(objects, tasks) : Settings.on(objects, queues, tasks);
    }

    @Override
    public void close() {
        try (objects) {
            if (queues != null) {
                queues.close();
            }
        }
    }
}
