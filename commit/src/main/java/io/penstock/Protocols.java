package io.penstock;

import io.penstock.commit.index.PendingEntries;
import io.penstock.commit.protocol.AtomicCommit;
import io.penstock.commit.protocol.AtomicDrain;
import io.penstock.commit.protocol.AtomicQueue;
import io.penstock.commit.protocol.AtomicRecovery;
import io.penstock.commit.protocol.BasicCommit;
import io.penstock.commit.protocol.CommitProtocol;
import io.penstock.commit.protocol.Forwarder;
import io.penstock.commit.protocol.MonotonicCommit;
import io.penstock.commit.protocol.NaiveCommit;
import io.penstock.commit.protocol.OrderedSenders;
import io.penstock.commit.protocol.Router;
import io.penstock.commit.protocol.Routers;
import io.penstock.commit.protocol.SendPolicy;
import io.penstock.core.ClientId;

/** The commit protocols of one client, one for each level. */
final class Protocols {
    /** Forwarded transactions gather until one batch of messages can be deleted for many of them. */
    private static final int DRAIN_AT = 32;

    private final CommitProtocol naive;
    private final BasicCommit basic;
    private final CommitProtocol monotonic;
    private final OrderedSenders monotonicSenders;
    private final OrderedSenders forwardSenders;
    private final AtomicCommit atomic;
    final Forwarder forwarder;
    private final AtomicQueue atomicQueue;
    final AtomicRecovery recovery;

    Protocols(Engine engine, SendPolicy policy) {
        Lane front = engine.foreground;
        Lane back = engine.background;
        Router router = router(engine.settings.layout(), engine.trees);
        Router backRouter = router(engine.settings.layout(), engine.backgroundTrees);
        naive = new NaiveCommit(engine.trees::writer, new PendingEntries(engine.catalog, engine.trees::writer));
        basic = new BasicCommit(
                engine.tasks,
                router,
                front.puQueues(),
                engine.limits,
                policy,
                engine.client,
                engine.checkpoints::touch);
        // Numbers are counted for each sender, so the two need ids of their own. Neither is the client's, which
        // lives on when a sender has left a hole in its numbers, and whose ATOMIC queue is its own as long as it does.
        monotonicSenders = senders(
                engine, front, policy, new ClientId(engine.tasks.random().nextLong()));
        forwardSenders =
                senders(engine, back, policy, new ClientId(engine.tasks.random().nextLong()));
        monotonic = new MonotonicCommit(router, monotonicSenders);
        atomicQueue = new AtomicQueue(back.queues(), engine.names, engine.client, engine.heartbeat);
        AtomicQueue commitQueue = new AtomicQueue(front.queues(), engine.names, engine.client, engine.heartbeat);
        AtomicDrain drain =
                new AtomicDrain(backRouter, forwardSenders, engine.quarantine, engine.limits.batchEntries());
        forwarder = new Forwarder(
                engine.tasks,
                backRouter,
                forwardSenders,
                atomicQueue,
                drain,
                DRAIN_AT,
                engine.settings.forwardInterval());
        atomic = new AtomicCommit(engine.tasks, commitQueue, engine.limits, policy, forwarder);
        recovery = new AtomicRecovery(
                back.queues(),
                engine.names,
                engine.registry,
                engine.serverClock,
                drain,
                engine.pollWait(),
                engine.exclusive);
    }

    private static OrderedSenders senders(Engine engine, Lane lane, SendPolicy policy, ClientId id) {
        return new OrderedSenders(
                engine.tasks, engine.heartbeat, id, lane.puQueues(), engine.limits, policy, engine.checkpoints::touch);
    }

    private static Router router(Layout layout, Trees trees) {
        return switch (layout) {
            case Layout.PerLeaf perLeaf -> Routers.perLeaf(trees::reader);
            case Layout.Partitioned partitioned -> Routers.partitioned(partitioned.queues(), trees::reader);
        };
    }

    CommitProtocol of(ConsistencyLevel level) {
        return switch (level) {
            case NAIVE -> naive;
            case BASIC -> basic;
            case MONOTONIC -> monotonic;
            case ATOMIC -> atomic;
        };
    }

    /** What is about to be sent: each queue's share is bounded. */
    long sendingBytes() {
        return basic.waitingBytes()
                + monotonicSenders.waitingBytes()
                + forwardSenders.waitingBytes()
                + atomic.waitingBytes();
    }

    /** After all was forwarded and deleted: removes what only this client needed. */
    void signOff() {
        if (forwarder.isUsed()) {
            atomicQueue.remove();
        }
    }
}
