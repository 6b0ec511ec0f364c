package io.penstock.commit.settings;

import io.penstock.core.Durability;
import io.penstock.core.object.BucketAddress;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.queue.QueueService;
import io.penstock.core.task.Tasks;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/** The place of a store: a directory of this machine, or servers. */
public sealed interface Servers {
    /** @param shared whether other processes of this machine open it, too */
    record Local(Path directory, Durability durability, boolean shared) implements Servers {}

    /**
     * A bucket that the store opens, and closes.
     *
     * @param queued whether the store has queues, on SQS
     * @param queueEndpoint the server of the queues, if it is not AWS's own
     */
    record Bucket(BucketAddress address, boolean queued, Optional<URI> queueEndpoint) implements Servers {}

    record Given(ObjectStore objects, QueueService queues, Tasks tasks, Sharing sharing) implements Servers {}

    /** The other processes that can reach the servers of a store. */
    enum Sharing {
        /** No other client, as if they were a directory of this machine. */
        NOBODY,
        /** Clients of this machine, and there is one queue server: a poll that does not wait has asked all of it. */
        THIS_MACHINE,
        /** Processes of any machine. */
        ANYBODY
    }
}
