package io.penstock.commit.upkeep;

import io.penstock.commit.checkpoint.CheckpointLoop;
import io.penstock.commit.checkpoint.Checkpointer;
import io.penstock.commit.checkpoint.LogCheckpoints;
import io.penstock.commit.checkpoint.Replay;
import io.penstock.commit.client.ClientContext;
import io.penstock.commit.engine.Checkpoints;
import io.penstock.commit.engine.Protocols;
import io.penstock.commit.engine.ServerPath;
import io.penstock.commit.engine.StoreState;
import io.penstock.commit.log.LogRecord;
import io.penstock.commit.protocol.Forwarder;
import io.penstock.commit.queue.PuQueueId;
import io.penstock.commit.queue.QueueNames;
import io.penstock.commit.settings.StoreSettings;
import io.penstock.core.RefusedException;
import io.penstock.core.TreeId;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.task.Parallel;
import io.penstock.core.task.Tasks;
import io.penstock.report.Backlog;
import io.penstock.report.CheckpointReport;
import io.penstock.report.LogStats;
import io.penstock.report.RecoveryReport;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The work of a client for the store besides its own transactions: checkpoints, recovery, an orderly end. Safe for use
 * by many threads.
 */
public final class Maintenance {
    private static final Logger LOG = LoggerFactory.getLogger(Maintenance.class);

    /** The number of queues that are worked on at a time. */
    private static final int WIDTH = 8;

    /** The first pause between two tries of {@link #close}; it doubles up to {@link #CLOSE_PAUSE_MAX}. */
    private static final Duration CLOSE_PAUSE = Duration.ofMillis(200);

    private static final Duration CLOSE_PAUSE_MAX = Duration.ofSeconds(2);

    /**
     * The time for which closing sees to it that its log records are applied. They are safe in the PU queues, so after
     * that they are left to the client that has the lease, or to a sweep.
     */
    private static final Duration APPLY_WITHIN = Duration.ofSeconds(5);

    /**
     * The number of tries of {@link #close} in a row that the servers refuse before it gives up: a queue that is gone
     * is made again after the first.
     */
    private static final int REFUSALS_MAX = 4;

    private final StoreSettings.Background settings;
    private final StoreState handle;
    private final ServerPath lane;
    private final ClientContext membership;
    private final Checkpoints checkpoints;
    private final Protocols protocols;
    private final ClientDeregistration signOff;
    private final Recoveries recoveries;
    private final LogCheckpoints logs;
    private final Tasks tasks;
    private final long beganNanos;

    public Maintenance(
            Tasks tasks,
            StoreSettings.Background settings,
            StoreState handle,
            ServerPath lane,
            ClientContext membership,
            Checkpoints checkpoints,
            Protocols protocols) {
        this.tasks = tasks;
        this.beganNanos = tasks.nanoTime();
        this.settings = settings;
        this.handle = handle;
        this.lane = lane;
        this.membership = membership;
        this.checkpoints = checkpoints;
        this.protocols = protocols;
        this.logs = checkpoints.logs();
        this.signOff = new ClientDeregistration(settings.checkpointing(), membership, checkpoints.loop(), protocols);
        this.recoveries = new Recoveries(tasks, membership, protocols.recovery());
    }

    /** The PU queues that hold messages, hidden ones included. */
    List<PuQueueId> waiting() {
        List<PuQueueId> queues = lane.puQueues().list();
        List<Long> depths =
                Parallel.map(tasks, WIDTH, queues, queue -> depthOf(lane.names().pu(queue)));
        return IntStream.range(0, queues.size())
                .filter(i -> depths.get(i) > 0)
                .mapToObj(queues::get)
                .toList();
    }

    /** Tells that the store is open. From now on the client signs off when nothing of it was pending for a while. */
    public void opened(String level) {
        membership.heartbeat().signOffBy(signOff);
        LOG.info(
                "opened the store prefix={} level={} readOnly={} checkpointing={} millis={}",
                handle.prefix(),
                level,
                handle.isReadOnly(),
                settings.checkpointing(),
                millisSince(beganNanos));
    }

    private long millisSince(long startNanos) {
        return TimeUnit.NANOSECONDS.toMillis(tasks.nanoTime() - startNanos);
    }

    /** Forwards what this client has committed at ATOMIC; deletes it from its ATOMIC queue, as far as that shows it. */
    public void flush() {
        Forwarder forwarder = protocols.forwarder();
        if (forwarder.isUsed()) {
            forwarder.forward();
            forwarder.drain();
        }
    }

    /** @param reach of the checkpoints of all PU queues */
    public CheckpointReport checkpointAll(Checkpointer.Reach reach) {
        flush();
        List<PuQueueId> queues = lane.puQueues().list();
        if (!queues.isEmpty()) {
            membership.join();
        }
        CheckpointReport ofQueues = Parallel.map(tasks, WIDTH, queues, queue -> checkpoint(queue, reach)).stream()
                .reduce(CheckpointReport.NONE, CheckpointReport::plus);
        // Last, since a log that is damaged ends this with an error.
        return logs.checkpointAll().stream().reduce(ofQueues, CheckpointReport::plus);
    }

    /** Applies the commit logs of all domains; returns the number of log records. */
    long applyLogs() {
        return logs.checkpointAll().stream()
                .mapToLong(CheckpointReport::records)
                .sum();
    }

    CheckpointReport checkpoint(PuQueueId queue) {
        return checkpoint(queue, Checkpointer.Reach.ALL);
    }

    private CheckpointReport checkpoint(PuQueueId queue, Checkpointer.Reach reach) {
        return checkpoints.loop().checkpoint(queue, reach).report();
    }

    /**
     * The outcome of applying some queues.
     *
     * @param left the messages that were seen, or are counted
     * @param busy the queues that other clients were at work on
     */
    record Drained(long left, long busy) {
        Drained plus(Drained other) {
            return new Drained(left + other.left, busy + other.busy);
        }
    }

    /** Applies the queues of some trees. */
    Drained drain(Set<TreeId> trees) {
        flush();
        List<PuQueueId> queues = lane.puQueues().list().stream()
                .filter(queue -> trees.contains(queue.tree()))
                .toList();
        List<CheckpointReport> done = Parallel.map(tasks, WIDTH, queues, this::checkpoint);
        List<Long> depths =
                Parallel.map(tasks, WIDTH, queues, queue -> depthOf(lane.names().pu(queue)));
        return IntStream.range(0, queues.size())
                .mapToObj(i -> new Drained(
                        done.get(i).messages() + done.get(i).heldBack() + depths.get(i),
                        done.get(i).busy()))
                .reduce(new Drained(0, 0), Drained::plus);
    }

    ClientContext membership() {
        return membership;
    }

    /** Hands over the log records that wait for an operator, object by object. */
    void forEachKept(Consumer<List<LogRecord>> work) {
        Replay.forEach(checkpoints.quarantine(), work);
        Replay.forEach(checkpoints.parked(), work);
    }

    LogCheckpoints logs() {
        return logs;
    }

    /** Recovers all dead clients. */
    public RecoveryReport recover() {
        return recoveries.recover();
    }

    Recoveries recoveries() {
        return recoveries;
    }

    public Backlog backlog() {
        QueueNames names = lane.names();
        List<LogStats> tails = logs.tails();
        return new Backlog(
                depth(names.puPrefix(), name -> names.puQueue(name).isPresent()),
                depth(names.atomicPrefix(), name -> names.atomicQueue(name).isPresent()),
                tails.stream().mapToLong(LogStats::tail).sum(),
                Stream.concat(
                                Stream.of(checkpoints.age().age()).filter(Duration::isPositive),
                                tails.stream().flatMap(tail -> tail.tailAge().stream()))
                        .max(Comparator.naturalOrder()));
    }

    /** Messages in the queues of this store whose names begin so; the queues of a store with a like name do too. */
    private long depth(String prefix, Predicate<String> ours) {
        List<String> names = lane.queues().list(prefix).stream().filter(ours).toList();
        return Parallel.map(tasks, WIDTH, names, this::depthOf).stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    private long depthOf(String name) {
        try {
            return lane.queues()
                    .find(name)
                    .map(MessageQueue::depth)
                    .map(depth -> depth.total())
                    .orElse(0L);
        } catch (RefusedException refusal) {
            if (!refusal.isGone()) {
                throw refusal;
            }
            return 0; // deleted in between, by the recovery of its client
        }
    }

    /** Ends what the opening of the store has begun, when that failed. */
    public void abandon() {
        protocols.forwarder().stop();
        checkpoints.loop().stop(Duration.ZERO);
        membership.heartbeat().stop();
    }

    public void close() {
        protocols.forwarder().stop();
        long start = tasks.nanoTime();
        long deadline = start + settings.closeWithin().toNanos();
        boolean drained;
        try {
            checkpoints.loop().stop(settings.closeWithin());
            closeLogs();
            drained = drainUntil(deadline);
        } finally {
            membership.heartbeat().stop();
        }
        signOff.close(drained);
        LOG.info("closed the store prefix={} drained={} millis={}", handle.prefix(), drained, millisSince(start));
    }

    /**
     * Closes the commit logs. Segments that are not applied are safe there, and every transaction of their domain sees
     * them.
     */
    private void closeLogs() {
        try {
            logs.close(settings.closeWithin());
        } catch (RuntimeException e) {
            LOG.warn("closed with segments that are not applied; others of the domain do it why={}", e.getMessage());
        }
    }

    /**
     * Forwards and checkpoints until nothing of this client is left, or the time is over. Returns whether all is done
     * that no other client can do.
     */
    private boolean drainUntil(long deadline) {
        Duration pause = CLOSE_PAUSE;
        int refusals = 0;
        long applyUntil = deadline;
        for (int attempt = 0; ; attempt++) {
            Remainder left = attemptDrain(attempt);
            if (left.isNothing()) {
                return true;
            }
            refusals = left.refused ? refusals + 1 : 0;
            long now = tasks.nanoTime();
            applyUntil = left.own ? deadline : Math.min(applyUntil, now + APPLY_WITHIN.toNanos());
            if (refusals == REFUSALS_MAX || now - deadline >= 0 || now - applyUntil >= 0) {
                LOG.warn("closed with work left in the queues, where it is safe for others to do left={}", left.what);
                return !left.own;
            }
            // Another client has the lease, most likely; a random part keeps clients that close together apart. The
            // last
            // try begins when the time is over, not a pause later.
            Duration apart = pause.plusMillis(tasks.random().nextLong(pause.toMillis()));
            tasks.sleep(Duration.ofNanos(Math.min(apart.toNanos(), Math.min(deadline, applyUntil) - now)));
            pause = pause.multipliedBy(2).compareTo(CLOSE_PAUSE_MAX) < 0 ? pause.multipliedBy(2) : CLOSE_PAUSE_MAX;
        }
    }

    /**
     * The work that is left after one try.
     *
     * @param what in words
     * @param own whether some of it needs this client, so that it cannot sign off
     * @param refused whether that is because the servers refuse something
     */
    private record Remainder(String what, boolean own, boolean refused) {
        static final Remainder NOTHING = new Remainder("", false, false);

        static Remainder failed(RuntimeException failure, boolean own) {
            return new Remainder(String.valueOf(failure.getMessage()), own, failure instanceof RefusedException);
        }

        boolean isNothing() {
            return what.isEmpty();
        }

        Remainder plus(Remainder other) {
            String both = isNothing() || other.isNothing() ? what + other.what : what + "; " + other.what;
            return new Remainder(both, own || other.own, refused || other.refused);
        }
    }

    private Remainder attemptDrain(int attempt) {
        Remainder left = forwardOwn();
        return settings.checkpointing() ? left.plus(checkpointOwn(attempt)) : left;
    }

    /** Does what this client alone does: its commits reach the PU queues, and leave its ATOMIC queue. */
    private Remainder forwardOwn() {
        Forwarder forwarder = protocols.forwarder();
        Remainder left = handle.isCommitting() ? new Remainder("commits under way", true, false) : Remainder.NOTHING;
        try {
            if (forwarder.isUsed()) {
                forwarder.forward();
                if (!forwarder.drainAtEnd()) {
                    left = left.plus(new Remainder("messages of the atomic queue", true, false));
                }
            }
            return left;
        } catch (RuntimeException e) {
            return left.plus(Remainder.failed(e, true));
        }
    }

    /** Checkpoints the queues this client has written to; those that are not done stay pending. */
    private Remainder checkpointOwn(int attempt) {
        List<PuQueueId> queues = List.copyOf(checkpoints.loop().takePending());
        if (queues.isEmpty()) {
            return Remainder.NOTHING;
        }
        try {
            membership.join();
            Parallel.map(tasks, WIDTH, queues, queue -> finish(queue, attempt));
        } catch (RuntimeException e) {
            queues.forEach(checkpoints.loop()::touch);
            return Remainder.failed(e, false);
        }
        int pending = checkpoints.loop().pending().size();
        return pending == 0
                ? Remainder.NOTHING
                : new Remainder(pending + " queues that others hold or that miss a message", false, false);
    }

    private boolean finish(PuQueueId queue, int attempt) {
        CheckpointLoop loop = checkpoints.loop();
        boolean done = false;
        try {
            // A ledger shows when records with an order are applied; for others the whole queue has to be looked at.
            boolean ledgerTells = attempt == 0 && loop.unapplied().isTold(queue);
            done = loop.finish(queue, ledgerTells ? Checkpointer.Reach.SHOWN : Checkpointer.Reach.ALL);
            return done;
        } catch (RefusedException refusal) {
            done = refusal.isGone(); // a queue that is gone holds nothing to be applied
            if (!done) {
                throw refusal;
            }
            return true;
        } finally {
            if (!done) {
                loop.touch(queue);
            }
        }
    }
}
