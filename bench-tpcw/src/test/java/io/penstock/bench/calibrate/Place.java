package io.penstock.bench.calibrate;

import io.penstock.bench.aws.StorePrefix;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.queue.QueueService;
import io.penstock.core.task.Tasks;
import org.jspecify.annotations.Nullable;

/**
 * Servers to measure, and a name there that nobody else uses.
 *
 * @param queues null: none are measured
 * @param name of the queue, and of the folder of all objects
 */
record Place(ObjectStore objects, @Nullable QueueService queues, Tasks tasks, String name) {
    /** Makes the queue, and returns a client of the place. */
    Probe probe() {
        MessageQueue queue = queues == null ? null : queues.create(name, QueueAttributes.STANDARD);
        return new Probe(objects, queue, tasks, name + "/");
    }

    /** Removes everything of that name. */
    void remove() {
        if (queues != null) {
            queues.delete(name);
        }
        StorePrefix.removeObjects(objects, name + "/");
    }
}
