package io.penstock;

import io.penstock.btree.TreeCompaction;
import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.commit.checkpoint.CheckpointResult;
import io.penstock.commit.protocol.AtomicRecovery;
import io.penstock.commit.protocol.Forwarder;
import io.penstock.commit.queue.PuQueueId;
import io.penstock.core.ClientId;
import io.penstock.core.StoreException;
import io.penstock.core.TreeId;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.task.Parallel;
import io.penstock.core.task.Permits;
import io.penstock.core.task.Tasks;
import io.penstock.report.Backlog;
import io.penstock.report.CheckpointReport;
import io.penstock.report.CompactionReport;
import io.penstock.report.RecoveryReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a client does for the store besides its own transactions: checkpoints, recovery, an orderly end. */
final class Upkeep {
    private static final Logger LOG = LoggerFactory.getLogger(Upkeep.class);

    /** Queues, or dead clients, that are worked on at a time. */
    private static final int WIDTH = 8;

    /** How long a dead client that had left nothing is not asked about again. */
    private static final Duration SETTLED_FOR = Duration.ofDays(1);

    /** Between two tries of {@link #close}: the first pause, and what the doubled pauses grow to. */
    private static final Duration CLOSE_PAUSE = Duration.ofMillis(200);

    private static final Duration CLOSE_PAUSE_MAX = Duration.ofSeconds(5);

    private final Engine engine;

    /** Dead clients that had left nothing, and when that was found, by {@link Tasks#nanoTime}. */
    private final Map<ClientId, Long> settled = new ConcurrentSkipListMap<>();

    /** One recovery at a time: a second would find messages hidden and report nothing. */
    private final Permits recovering;

    Upkeep(Engine engine) {
        this.engine = engine;
        this.recovering = new Permits(engine.tasks, 1);
    }

    /** The PU queues that hold messages, hidden ones included. */
    List<PuQueueId> waiting() {
        List<PuQueueId> queues = engine.background.puQueues().list();
        List<Long> depths = Parallel.map(engine.tasks, WIDTH, queues, queue -> depthOf(engine.names.pu(queue)));
        return IntStream.range(0, queues.size())
                .filter(i -> depths.get(i) > 0)
                .mapToObj(queues::get)
                .toList();
    }

    CheckpointReport checkpointAll() {
        Forwarder forwarder = engine.protocols.forwarder;
        if (forwarder.isUsed()) {
            forwarder.forward();
            forwarder.drain();
        }
        List<PuQueueId> queues = engine.background.puQueues().list();
        if (!queues.isEmpty()) {
            engine.join();
        }
        return Parallel.map(engine.tasks, WIDTH, queues, this::checkpoint).stream()
                .reduce(CheckpointReport.NONE, CheckpointReport::plus);
    }

    CheckpointReport checkpoint(PuQueueId queue) {
        CheckpointResult result = engine.checkpointer.checkpoint(queue);
        return new CheckpointReport(
                1,
                result.leased() ? 0 : 1,
                result.messages(),
                result.records(),
                result.pages(),
                result.heldBack(),
                result.quarantined());
    }

    /** Recovers all dead clients, those included that had left nothing when they were looked at before. */
    RecoveryReport recover() {
        return recovering.with(() -> recoverAll(id -> true));
    }

    /** The same without those that had left nothing a short while ago: they stay on record for weeks. */
    RecoveryReport recoverUnsettled() {
        long now = engine.tasks.nanoTime();
        settled.values().removeIf(since -> now - since > SETTLED_FOR.toNanos());
        return recovering.with(() -> recoverAll(id -> !settled.containsKey(id)));
    }

    private RecoveryReport recoverAll(Predicate<ClientId> wanted) {
        List<ClientId> dead = engine.registry.dead().stream()
                .filter(id -> !engine.heartbeat.isBeating(id))
                .filter(wanted)
                .toList();
        if (!dead.isEmpty()) {
            engine.serverClock.requireKnownInStep();
        }
        return Parallel.map(engine.tasks, WIDTH, dead, this::recover).stream()
                .reduce(RecoveryReport.NONE, RecoveryReport::plus);
    }

    RecoveryReport recover(ClientId dead) {
        AtomicRecovery.Result result = engine.protocols.recovery.recover(dead);
        if (result.settled()) {
            settled.put(dead, engine.tasks.nanoTime());
        }
        return new RecoveryReport(1, result.forwarded(), result.undecided(), result.undecidedMessages());
    }

    CompactionReport compact(int joinedPercentMax) {
        engine.serverClock.requireKnownInStep(); // the age of tombstones is measured by it
        CompactionReport report = CompactionReport.NONE;
        for (CollectionDefinition definition : engine.catalog.list()) {
            for (TreeId tree : definition.trees().toList()) {
                TreeCompaction.Result result = engine.backgroundTrees
                        .compaction(tree, definition, joinedPercentMax)
                        .run();
                report = report.plus(new CompactionReport(result.purged(), result.rewritten(), result.joined()));
            }
        }
        return report;
    }

    Backlog backlog() {
        return new Backlog(depth(engine.names.puPrefix()), depth(engine.names.atomicPrefix()));
    }

    private long depth(String prefix) {
        List<String> names = engine.background.queues().list(prefix);
        return Parallel.map(engine.tasks, WIDTH, names, this::depthOf).stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    private long depthOf(String name) {
        return engine.background
                .queues()
                .find(name)
                .map(MessageQueue::depth)
                .map(depth -> depth.total())
                .orElse(0L);
    }

    /** Ends what the opening of the store has begun, when that failed. */
    void abandon() {
        engine.protocols.forwarder.stop();
        engine.checkpoints.stop(Duration.ZERO);
        engine.heartbeat.stop();
    }

    void close() {
        engine.protocols.forwarder.stop();
        long deadline = engine.tasks.nanoTime() + engine.settings.closeWithin().toNanos();
        boolean drained;
        try {
            engine.checkpoints.stop(engine.settings.closeWithin());
            drained = drainUntil(deadline);
        } finally {
            engine.heartbeat.stop();
        }
        try {
            if (drained && !engine.protocols.forwarder.isInDoubt()) {
                engine.protocols.signOff();
                engine.heartbeat.signOff();
            } else {
                engine.heartbeat.retire();
            }
        } catch (StoreException e) {
            LOG.warn("the client could not sign off; others will take it for dead why={}", e.getMessage());
        }
    }

    /** Forwards and checkpoints until nothing of this client is left, or the time is over. */
    private boolean drainUntil(long deadline) {
        Duration pause = CLOSE_PAUSE;
        while (true) {
            String left = attemptDrain();
            if (left.isEmpty()) {
                return true;
            }
            if (engine.tasks.nanoTime() - deadline >= 0) {
                LOG.warn("closed with work left in the queues, where it is safe for others to do left={}", left);
                return false;
            }
            // Somebody else has the lease, most likely; a random part keeps clients that close together apart.
            engine.tasks.sleep(pause.plusMillis(engine.tasks.random().nextLong(pause.toMillis())));
            pause = pause.multipliedBy(2).compareTo(CLOSE_PAUSE_MAX) < 0 ? pause.multipliedBy(2) : CLOSE_PAUSE_MAX;
        }
    }

    /** What is left after one try, in words; empty for nothing. */
    private String attemptDrain() {
        List<String> left = new ArrayList<>();
        Forwarder forwarder = engine.protocols.forwarder;
        try {
            if (engine.isCommitting()) {
                left.add("commits under way");
            }
            if (forwarder.isUsed()) {
                forwarder.forward();
                if (!forwarder.drain()) {
                    left.add("messages of the atomic queue");
                }
            }
            if (engine.settings.checkpointing()) {
                checkpointOwn(left);
            }
        } catch (StoreException e) {
            left.add(String.valueOf(e.getMessage()));
        }
        return String.join("; ", left);
    }

    /** Checkpoints the queues this client has written to; those that are not done stay pending. */
    private void checkpointOwn(List<String> left) {
        List<PuQueueId> queues = List.copyOf(engine.checkpoints.takePending());
        if (queues.isEmpty()) {
            return;
        }
        engine.join();
        Parallel.map(engine.tasks, WIDTH, queues, queue -> {
            boolean done = false;
            try {
                CheckpointReport report = checkpoint(queue);
                done = report.busy() == 0 && report.heldBack() == 0;
                return done;
            } finally {
                if (!done) {
                    engine.checkpoints.touch(queue);
                }
            }
        });
        Set<PuQueueId> pending = engine.checkpoints.pending();
        if (!pending.isEmpty()) {
            left.add(pending.size() + " queues that others hold or that miss a message");
        }
    }
}
