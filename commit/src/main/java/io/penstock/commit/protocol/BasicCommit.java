package io.penstock.commit.protocol;

import io.penstock.commit.queue.PuQueueId;
import io.penstock.commit.queue.PuQueues;
import io.penstock.core.ClientId;
import io.penstock.core.queue.QueueLimits;
import io.penstock.core.task.Tasks;
import java.util.function.Consumer;

/** Sends the log records to PU queues, in any order (section 4.1 of the paper). */
public final class BasicCommit implements CommitProtocol {
    private final Router router;
    private final PuSenders senders;

    public BasicCommit(
            Tasks tasks,
            Router router,
            PuQueues queues,
            QueueLimits limits,
            SendPolicy policy,
            ClientId client,
            Consumer<PuQueueId> sent) {
        this.router = router;
        this.senders = new PuSenders(tasks, queues, limits, policy, client, false, sent);
    }

    /** What callers wait for, over all queues. */
    public long waitingBytes() {
        return senders.waitingBytes();
    }

    @Override
    public void commit(Committed transaction) {
        transaction.sentTo(senders.send(router, transaction.records()));
    }
}
