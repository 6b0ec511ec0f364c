package io.penstock.commit.upkeep;

import io.penstock.commit.client.ClientContext;
import io.penstock.commit.engine.Services;
import io.penstock.commit.protocol.AtomicRecovery;
import io.penstock.commit.queue.PuQueueId;
import io.penstock.commit.settings.StoreSettings;
import io.penstock.core.ClientId;
import io.penstock.core.CorruptDataException;
import io.penstock.core.StoreException;
import io.penstock.core.UnavailableException;
import io.penstock.core.pool.PageManager;
import io.penstock.core.task.Parallel;
import io.penstock.core.task.Tasks;
import io.penstock.report.Backlog;
import io.penstock.report.CheckpointReport;
import io.penstock.report.RecoveryReport;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The part of opening a store that makes readable what was acknowledged before: it finishes what a process that has
 * ended left in the queues. Without it a program that restarts would read old data, write back what it makes of them,
 * and so destroy what it had committed.
 */
public final class StartupRecovery {
    private static final Logger LOG = LoggerFactory.getLogger(StartupRecovery.class);

    /** The number of queues that are checkpointed at a time. */
    private static final int WIDTH = 8;

    /** The pause between two looks at queues that another client checkpoints, or whose messages are hidden. */
    private static final Duration PAUSE = Duration.ofMillis(500);

    /**
     * The maximum number of rounds over the queues of a local store: in the first all messages show; more are for lost
     * lock tokens.
     */
    private static final int LOCAL_ROUNDS_MAX = 5;

    private final Tasks tasks;

    /** Whether no other client can reach the store. */
    private final boolean exclusive;

    private final StoreSettings settings;
    private final ClientContext membership;
    private final Maintenance upkeep;
    private final PageManager pages;

    /** Queues that damage keeps from being emptied. */
    private final Set<PuQueueId> damaged = new ConcurrentSkipListSet<>();

    /** @param pages those that are read once the store is open */
    public StartupRecovery(
            Services services,
            StoreSettings settings,
            ClientContext membership,
            Maintenance upkeep,
            PageManager pages) {
        this.tasks = services.tasks();
        this.exclusive = services.exclusive();
        this.settings = settings;
        this.membership = membership;
        this.upkeep = upkeep;
        this.pages = pages;
    }

    /** Restores all that there is, or on servers what the last client of this one's name has left. */
    public void run() {
        if (exclusive) {
            finishAll();
        } else if (!settings.client().readOnly()) {
            settings.client().name().ifPresent(this::succeed);
        }
    }

    /**
     * Recovers all clients of the past and empties all PU queues, for a store that no other client can reach. A handle
     * that is read only changes nothing: it says so when it does not see everything. What damage keeps from being
     * applied stays in its queue or commit log, or is parked, and is logged; all else is applied.
     *
     * @throws StoreException when something is left for another reason
     */
    private void finishAll() {
        if (settings.client().readOnly()) {
            warnOfBacklog(upkeep.backlog());
            return;
        }
        long forwarded = around("the clients of the past", upkeep.recoveries()::recoverOrFail)
                .map(RecoveryReport::forwarded)
                .orElse(0L);
        long records = applyAll() + around("the commit logs", upkeep::applyLogs).orElse(0L);
        if (forwarded + records > 0) {
            LOG.info("what was committed before a crash is applied transactions={} records={}", forwarded, records);
        }
    }

    private static void warnOfBacklog(Backlog backlog) {
        long unseen = backlog.pendingMessages() + backlog.atomicMessages(); // what is in a commit log is seen
        if (unseen > 0) {
            LOG.warn(
                    "this handle is read only and does not see what was committed before a crash; open the store once"
                            + " to write messages={}",
                    unseen);
        }
    }

    private long applyAll() {
        long records = 0;
        for (int round = 0; round < LOCAL_ROUNDS_MAX; round++) {
            List<PuQueueId> waiting = waiting();
            if (waiting.isEmpty()) {
                return records;
            }
            records += checkpoint(waiting);
        }
        throw new UnavailableException(
                "what was committed before could not all be applied; open the store again, or read-only to look into"
                        + " it",
                "prefix",
                settings.prefix());
    }

    /**
     * Recovers the client that had this client's name before, and returns when the PU queues are empty, or after about
     * two leases.
     */
    private void succeed(String name) {
        membership.registry().named(name).ifPresent(predecessor -> {
            restore(predecessor);
            // Pages that were read meanwhile may be from before others applied what this client has forwarded.
            pages.pool().checkAgain(pages.nanoTime());
        });
    }

    /**
     * Forwards and applies a client's leftovers, for a little over two leases: a lease is the time for which a
     * checkpoint that died with the client keeps its messages hidden. No round counts as more than one lease: a machine
     * that was suspended has not waited, and looks again.
     */
    private void restore(ClientId predecessor) {
        long lease = settings.limits().lease().toNanos();
        long left = 2 * lease + AtomicRecovery.HIDDEN.toNanos();
        boolean forwarded = forward(predecessor);
        List<PuQueueId> waiting = waiting();
        while (!forwarded || !waiting.isEmpty()) {
            long start = tasks.nanoTime();
            forwarded = forwarded || forward(predecessor);
            checkpoint(waiting);
            waiting = waiting();
            if (left <= 0) {
                LOG.warn("opened before all that was committed is applied queues={}", waiting.size());
                return;
            }
            if (!forwarded || !waiting.isEmpty()) {
                tasks.sleep(PAUSE);
            }
            left -= Math.min(lease, tasks.nanoTime() - start);
        }
    }

    /** Forwards what a client had committed; false while some of it is hidden from this one. */
    private boolean forward(ClientId predecessor) {
        return around("the client before", () -> upkeep.recoveries().recoverPredecessor(predecessor))
                .orElse(true);
    }

    /** The queues that hold something, without those that damage keeps from being emptied. */
    private List<PuQueueId> waiting() {
        return upkeep.waiting().stream()
                .filter(queue -> !damaged.contains(queue))
                .toList();
    }

    private long checkpoint(List<PuQueueId> queues) {
        return Parallel.map(tasks, WIDTH, queues, this::checkpoint).stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    private long checkpoint(PuQueueId queue) {
        Optional<CheckpointReport> report = around(queue.name(), () -> upkeep.checkpoint(queue));
        if (report.isEmpty()) {
            damaged.add(queue);
        }
        return report.map(CheckpointReport::records).orElse(0L);
    }

    /** Does work for a part of the store; empty, and logged, when that part is damaged. */
    private static <T> Optional<T> around(String what, Supplier<T> work) {
        try {
            return Optional.of(work.get());
        } catch (CorruptDataException damage) {
            LOG.warn("opened without what damage keeps from being applied of={} why={}", what, damage.getMessage());
            return Optional.empty();
        }
    }
}
