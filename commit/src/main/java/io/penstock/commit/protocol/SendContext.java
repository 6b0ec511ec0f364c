package io.penstock.commit.protocol;

import io.penstock.commit.queue.PuQueueId;
import io.penstock.commit.queue.PuQueues;
import io.penstock.core.queue.QueueLimits;
import io.penstock.core.task.Tasks;
import java.util.function.Consumer;

/**
 * Everything that senders to PU queues share, whatever client id they send under.
 *
 * @param sent told of each queue that has got log records
 */
public record SendContext(
        Tasks tasks, Router router, PuQueues queues, QueueLimits limits, SendPolicy policy, Consumer<PuQueueId> sent) {}
