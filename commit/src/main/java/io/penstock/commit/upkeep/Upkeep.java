package io.penstock.commit.upkeep;

import io.penstock.commit.checkpoint.CheckpointResult;
import io.penstock.commit.client.Membership;
import io.penstock.commit.engine.Checkpoints;
import io.penstock.commit.engine.Handle;
import io.penstock.commit.engine.Lane;
import io.penstock.commit.engine.Protocols;
import io.penstock.commit.engine.Services;
import io.penstock.commit.protocol.AtomicRecovery;
import io.penstock.commit.protocol.Forwarder;
import io.penstock.commit.queue.PuQueueId;
import io.penstock.commit.settings.StoreSettings;
import io.penstock.core.ClientId;
import io.penstock.core.StoreException;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.task.Parallel;
import io.penstock.core.task.Permits;
import io.penstock.core.task.Promise;
import io.penstock.core.task.Tasks;
import io.penstock.report.Backlog;
import io.penstock.report.CheckpointReport;
import io.penstock.report.RecoveryReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The work of a client for the store besides its own transactions: checkpoints, recovery, an orderly end. Safe for use
 * by many threads.
 */
public final class Upkeep {
    private static final Logger LOG = LoggerFactory.getLogger(Upkeep.class);

    /** Queues, or dead clients, that are worked on at a time. */
    private static final int WIDTH = 8;

    /** Between two tries of {@link #close}: the first pause, and what the doubled pauses grow to. */
    private static final Duration CLOSE_PAUSE = Duration.ofMillis(200);

    private static final Duration CLOSE_PAUSE_MAX = Duration.ofSeconds(5);

    private final Services services;
    private final StoreSettings.Background settings;
    private final Handle handle;
    private final Lane lane;
    private final Membership membership;
    private final Checkpoints checkpoints;
    private final Protocols protocols;
    private final Tasks tasks;
    private final Promise<Boolean> stopped;

    /** One recovery at a time: a second would find messages hidden and report nothing. */
    private final Permits recovering;

    public Upkeep(
            Services services,
            StoreSettings.Background settings,
            Handle handle,
            Lane lane,
            Membership membership,
            Checkpoints checkpoints,
            Protocols protocols) {
        this.services = services;
        this.settings = settings;
        this.handle = handle;
        this.lane = lane;
        this.membership = membership;
        this.checkpoints = checkpoints;
        this.protocols = protocols;
        this.tasks = services.tasks();
        this.stopped = tasks.promise();
        this.recovering = new Permits(tasks, 1);
    }

    /** Begins what goes on as long as the store is open. */
    public void start() {
        tasks.start("upkeep", () -> {
            sweep(services.exclusive());
            Optional<Duration> every = settings.sweepEvery();
            while (every.isPresent() && !stopped.awaitFor(every.get())) {
                sweep(true);
            }
        });
    }

    /** Recovers dead clients, and lets this client's background checkpoints take every queue if {@code queuesToo}. */
    private void sweep(boolean queuesToo) {
        try {
            recover();
            if (queuesToo && settings.checkpointing()) {
                membership.join();
                lane.puQueues().list().forEach(checkpoints.loop()::touch);
            }
        } catch (StoreException e) {
            LOG.warn("a sweep of the store failed and is tried again later why={}", e.getMessage());
        }
    }

    public CheckpointReport checkpointAll() {
        Forwarder forwarder = protocols.forwarder();
        if (forwarder.isUsed()) {
            forwarder.forward();
            forwarder.drain();
        }
        List<PuQueueId> queues = lane.puQueues().list();
        if (!queues.isEmpty()) {
            membership.join();
        }
        return Parallel.map(tasks, WIDTH, queues, this::checkpoint).stream()
                .reduce(CheckpointReport.NONE, CheckpointReport::plus);
    }

    private CheckpointReport checkpoint(PuQueueId queue) {
        CheckpointResult result = checkpoints.checkpointer().checkpoint(queue);
        return new CheckpointReport(
                1,
                result.leased() ? 0 : 1,
                result.messages(),
                result.records(),
                result.pages(),
                result.heldBack(),
                result.quarantined());
    }

    public RecoveryReport recover() {
        return recovering.with(this::recoverAll);
    }

    private RecoveryReport recoverAll() {
        List<ClientId> dead = membership.dead();
        if (!dead.isEmpty()) {
            membership.serverClock().requireKnownInStep();
        }
        return Parallel.map(tasks, WIDTH, dead, this::recover).stream()
                .reduce(RecoveryReport.NONE, RecoveryReport::plus);
    }

    private RecoveryReport recover(ClientId dead) {
        AtomicRecovery.Result result = protocols.recovery().recover(dead);
        return new RecoveryReport(1, result.forwarded(), result.undecided(), result.undecidedMessages());
    }

    public Backlog backlog() {
        return new Backlog(depth(lane.names().puPrefix()), depth(lane.names().atomicPrefix()));
    }

    private long depth(String prefix) {
        List<String> names = lane.queues().list(prefix);
        return Parallel.map(tasks, WIDTH, names, this::depthOf).stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    private long depthOf(String name) {
        return lane.queues()
                .find(name)
                .map(MessageQueue::depth)
                .map(depth -> depth.total())
                .orElse(0L);
    }

    public void close() {
        stopped.complete(true);
        protocols.forwarder().stop();
        long deadline = tasks.nanoTime() + settings.closeWithin().toNanos();
        boolean drained;
        try {
            checkpoints.loop().stop(settings.closeWithin());
            drained = drainUntil(deadline);
        } finally {
            membership.heartbeat().stop();
        }
        try {
            if (drained && !protocols.forwarder().isInDoubt()) {
                protocols.signOff();
                membership.heartbeat().signOff();
            } else {
                membership.heartbeat().retire();
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
            if (tasks.nanoTime() - deadline >= 0) {
                LOG.warn("closed with work left in the queues, where it is safe for others to do left={}", left);
                return false;
            }
            // Somebody else has the lease, most likely; a random part keeps clients that close together apart.
            tasks.sleep(pause.plusMillis(tasks.random().nextLong(pause.toMillis())));
            pause = pause.multipliedBy(2).compareTo(CLOSE_PAUSE_MAX) < 0 ? pause.multipliedBy(2) : CLOSE_PAUSE_MAX;
        }
    }

    /** What is left after one try, in words; empty for nothing. */
    private String attemptDrain() {
        List<String> left = new ArrayList<>();
        Forwarder forwarder = protocols.forwarder();
        try {
            if (handle.isCommitting()) {
                left.add("commits under way");
            }
            if (forwarder.isUsed()) {
                forwarder.forward();
                if (!forwarder.drain()) {
                    left.add("messages of the atomic queue");
                }
            }
            if (settings.checkpointing()) {
                checkpointOwn(left);
            }
        } catch (StoreException e) {
            left.add(String.valueOf(e.getMessage()));
        }
        return String.join("; ", left);
    }

    /** Checkpoints the queues this client has written to; those that are not done stay pending. */
    private void checkpointOwn(List<String> left) {
        List<PuQueueId> queues = List.copyOf(checkpoints.loop().takePending());
        if (queues.isEmpty()) {
            return;
        }
        membership.join();
        Parallel.map(tasks, WIDTH, queues, queue -> {
            boolean done = false;
            try {
                CheckpointReport report = checkpoint(queue);
                done = report.busy() == 0 && report.heldBack() == 0;
                return done;
            } finally {
                if (!done) {
                    checkpoints.loop().touch(queue);
                }
            }
        });
        Set<PuQueueId> pending = checkpoints.loop().pending();
        if (!pending.isEmpty()) {
            left.add(pending.size() + " queues that others hold or that miss a message");
        }
    }
}
