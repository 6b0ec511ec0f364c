package io.penstock.commit.engine;

import io.penstock.commit.catalog.Catalog;
import io.penstock.commit.client.ClientContext;
import io.penstock.commit.client.Identity;
import io.penstock.commit.index.PendingEntries;
import io.penstock.commit.protocol.AtomicCommit;
import io.penstock.commit.protocol.AtomicDrain;
import io.penstock.commit.protocol.AtomicRecovery;
import io.penstock.commit.protocol.BasicCommit;
import io.penstock.commit.protocol.CommitProtocol;
import io.penstock.commit.protocol.Forwarder;
import io.penstock.commit.protocol.MonotonicCommit;
import io.penstock.commit.protocol.NaiveCommit;
import io.penstock.commit.protocol.OrderedSenders;
import io.penstock.commit.protocol.Routing;
import io.penstock.commit.protocol.SendContext;
import io.penstock.commit.queue.AtomicQueue;
import io.penstock.commit.queue.OversizedTransactions;
import io.penstock.commit.queue.PuQueueId;
import io.penstock.commit.settings.StoreSettings;
import io.penstock.core.StoreException;
import io.penstock.core.TreeId;
import io.penstock.core.queue.QueueLimits;
import io.penstock.core.task.Tasks;

/** The commit protocols of one client, and their background work. Safe for use by many threads. */
public final class Protocols {
    /**
     * The number of forwarded transactions that gather, so that one batch of messages can be deleted for many of them.
     */
    private static final int DRAIN_AT = 32;

    private final NaiveCommit naive;
    private final BasicCommit basic;
    private final MonotonicCommit monotonic;
    private final OrderedSenders senders;
    private final OrderedSenders recoverySenders;
    private final AtomicCommit atomic;
    private final Forwarder forwarder;
    private final AtomicQueue atomicQueue;
    private final AtomicRecovery recovery;

    Protocols(
            Services services,
            StoreSettings settings,
            ServerPath foreground,
            ServerPath background,
            StoreTrees trees,
            ClientContext membership,
            Checkpoints checkpoints) {
        Tasks tasks = services.tasks();
        Routing routing = settings.routing();
        QueueLimits limits = services.queues().limits();
        SendContext front = context(services, routing, foreground, trees.foreground(), trees, checkpoints);
        SendContext back = context(services, routing, background, trees.background(), trees, checkpoints);
        naive = new NaiveCommit(trees.foreground()::writer, new PendingEntries(trees.catalog()));
        basic = new BasicCommit(front);
        // What is recovered keeps no order with this client's own, and must not make it wait.
        senders = new OrderedSenders(tasks, membership.heartbeat());
        recoverySenders = new OrderedSenders(tasks, membership.heartbeat());
        foreground.puQueues().whenMissing(this::whenMissing);
        background.puQueues().whenMissing(this::whenMissing);
        atomicQueue = atomicQueue(background, membership, services);
        AtomicDrain drain = new AtomicDrain(recoverySenders, back, checkpoints.quarantine(), limits.batchEntries());
        forwarder = new Forwarder(
                back,
                senders,
                atomicQueue,
                drain,
                DRAIN_AT,
                settings.background().forwardInterval());
        monotonic = new MonotonicCommit(senders, front, forwarder);
        atomic = new AtomicCommit(
                tasks, atomicQueue(foreground, membership, services), limits, routing.policy(), forwarder);
        // Alone on its servers it must finish everything: no other client will.
        long bytesMax =
                services.exclusive() ? Long.MAX_VALUE : settings.memory().transactionBytesMax();
        recovery = new AtomicRecovery(
                background.queues(),
                background.names(),
                membership,
                drain,
                services.pollWait(),
                services.exclusive(),
                new OversizedTransactions(tasks, membership.serverClock()::nowMillis, bytesMax));
    }

    /** Sends to a queue that is lost with what it has now begin anew. */
    private Runnable whenMissing(PuQueueId queue) {
        Runnable own = senders.whenMissing(queue);
        Runnable recovered = recoverySenders.whenMissing(queue);
        return () -> {
            own.run();
            recovered.run();
        };
    }

    private static SendContext context(
            Services services, Routing routing, ServerPath lane, Trees trees, StoreTrees all, Checkpoints checkpoints) {
        return new SendContext(
                services.tasks(),
                routing.router(trees::reader),
                lane.puQueues(),
                routing.policy(),
                checkpoints.loop()::sent,
                tree -> isDropped(all.catalog(), tree));
    }

    /**
     * Whether a tree was dropped. Where the catalog does not know, a record goes to its queue: its checkpoint finds
     * out.
     */
    private static boolean isDropped(Catalog catalog, TreeId tree) {
        try {
            return catalog.isDropped(tree);
        } catch (StoreException failure) {
            return false;
        }
    }

    private static AtomicQueue atomicQueue(ServerPath lane, ClientContext membership, Services services) {
        return new AtomicQueue(lane.queues(), lane.names(), membership.heartbeat(), services.pollWait());
    }

    public CommitProtocol naive() {
        return naive;
    }

    public CommitProtocol basic() {
        return basic;
    }

    public CommitProtocol monotonic() {
        return monotonic;
    }

    public CommitProtocol atomic() {
        return atomic;
    }

    /** Brings this client's ATOMIC transactions to the PU queues. */
    public Forwarder forwarder() {
        return forwarder;
    }

    /** Finishes the ATOMIC transactions of dead clients. */
    public AtomicRecovery recovery() {
        return recovery;
    }

    /** Bytes of log records that callers have handed in and that are not sent yet. */
    public long sendingBytes() {
        return basic.waitingBytes() + senders.waitingBytes() + recoverySenders.waitingBytes() + atomic.waitingBytes();
    }

    /**
     * Removes the ATOMIC queue of an identity, after all was forwarded and deleted; false when it holds something all
     * the same.
     */
    public boolean removeQueue(Identity identity) {
        return !identity.hasQueue() || atomicQueue.remove(identity);
    }

    /**
     * Removes the ATOMIC queue of an identity that others took for dead, even if the identity knows of none: a clone of
     * this process, which had the same id, may have created it.
     */
    public boolean removeTakenOverQueue(Identity identity) {
        return atomicQueue.removeTakenOver(identity);
    }
}
