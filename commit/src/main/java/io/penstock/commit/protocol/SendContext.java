package io.penstock.commit.protocol;

import io.penstock.commit.protocol.Routing.Router;
import io.penstock.commit.protocol.Routing.SendPolicy;
import io.penstock.commit.queue.Position;
import io.penstock.commit.queue.PuQueues;
import io.penstock.core.TreeId;
import io.penstock.core.task.Tasks;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The parts that all senders to PU queues share, whatever client id they send under.
 *
 * @param sent called with each place where log records have arrived
 * @param dropped whether a tree was dropped: log records for it are discarded, and its queues may be gone
 */
public record SendContext(
        Tasks tasks,
        Router router,
        PuQueues queues,
        SendPolicy policy,
        Consumer<Position> sent,
        Predicate<TreeId> dropped) {}
