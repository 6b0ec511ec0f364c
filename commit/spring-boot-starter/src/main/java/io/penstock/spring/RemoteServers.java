package io.penstock.spring;

import io.penstock.Settings;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.queue.QueueService;
import io.penstock.core.task.Tasks;

/** The servers of a store on S3 and SQS, closed after it. */
record RemoteServers(ObjectStore objects, QueueService queues, Tasks tasks) implements AutoCloseable {
    Settings settings() {
        return Settings.on(objects, queues, tasks);
    }

    @Override
    public void close() {
        try (objects) {
            queues.close();
        }
    }
}
