package io.penstock.commit.settings;

import io.penstock.core.Durability;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.queue.QueueService;
import io.penstock.core.task.Tasks;
import java.nio.file.Path;

/** The place of a store: a directory of this machine, or servers. */
public sealed interface Servers {
    record Local(Path directory, Durability durability) implements Servers {}

    /** @param exclusive whether no other client can reach these, as if they were a directory of this machine */
    record Given(ObjectStore objects, QueueService queues, Tasks tasks, boolean exclusive) implements Servers {}
}
