package io.penstock;

import io.penstock.core.Durability;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.queue.QueueService;
import io.penstock.core.task.Tasks;
import java.nio.file.Path;

/** Where a store is. */
sealed interface Servers {
    record Local(Path directory, Durability durability) implements Servers {}

    record Given(ObjectStore objects, QueueService queues, Tasks tasks) implements Servers {}
}
