package io.penstock.commit.protocol;

import io.penstock.commit.client.ClientRegistry;
import io.penstock.commit.client.ServerClock;
import io.penstock.commit.queue.QueueNames;
import io.penstock.core.ClientId;
import io.penstock.core.Stamp;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.queue.QueueService;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Finishes what dead clients have left in their ATOMIC queues. Any client may do it for any other, also when several do
 * at once or the other lives after all: records keep their stamps, so applying them again changes nothing. (The paper
 * waits for the client to come back; section 4.4.)
 */
public final class AtomicRecovery {
    /** Receives in a row that must find nothing before a queue counts as drained; long polls ask all servers. */
    private static final int EMPTY_POLLS = 3;

    /** Bounds one recovery of one client. */
    private static final int POLLS_MAX = 100_000;

    /**
     * A transaction without its commit record is given up after this long. Its client sends the commit record within
     * minutes, or not at all.
     */
    static final Duration LOSER_AGE = Duration.ofHours(24);

    private final QueueService service;
    private final QueueNames names;
    private final ClientRegistry registry;
    private final ServerClock serverClock;
    private final AtomicDrain drain;
    private final Duration pollWait;
    private final Duration queueLife;

    /**
     * A queue may show a depth that is out of date: on SQS for a minute after the last change. Later than this after
     * its client's end an empty one is believed, until the next recovery looks again: to poll it until it is provably
     * empty takes seconds, and the dead of four weeks may be many.
     */
    private static final Duration DEPTH_LAG = Duration.ofMinutes(2);

    /**
     * What was done for one client.
     *
     * @param undecided transactions that have no commit record and are too young to be deleted
     * @param undecidedMessages in which their parts are
     * @param drained its queue showed nothing any more
     */
    public record Result(long forwarded, long deleted, long undecided, long undecidedMessages, boolean drained) {
        static final Result NOTHING = new Result(0, 0, 0, 0, true);
    }

    /**
     * @param pollWait of each receive; zero where a receive sees all messages anyway
     * @param queueLife how long after its client's end a queue is kept: by then nothing sent to it can be under way
     */
    public AtomicRecovery(
            QueueService service,
            QueueNames names,
            ClientRegistry registry,
            ServerClock serverClock,
            AtomicDrain drain,
            Duration pollWait,
            Duration queueLife) {
        this.service = service;
        this.names = names;
        this.registry = registry;
        this.serverClock = serverClock;
        this.drain = drain;
        this.pollWait = pollWait;
        this.queueLife = queueLife;
    }

    /** How long a queue must be kept after its client's last sign of life, where servers are shared. */
    public static Duration sharedQueueLife() {
        return QueueAttributes.RETENTION_MAX.multipliedBy(2);
    }

    public Result recover(ClientId dead) {
        Optional<Long> retiredMillis = registry.adopt(dead);
        if (retiredMillis.isEmpty()) {
            return Result.NOTHING;
        }
        Optional<MessageQueue> queue = service.find(names.atomic(dead));
        long age = serverClock.nowMillis() - retiredMillis.get();
        // Also without a queue: a client that only slept may create it at this very moment.
        boolean forgettable = age >= queueLife.toMillis();
        boolean emptyByNow = age >= DEPTH_LAG.toMillis()
                && queue.map(found -> found.depth().total() == 0).orElse(true);
        if (!forgettable && emptyByNow) {
            return Result.NOTHING;
        }
        Result result = queue.map(this::drainQueue).orElse(Result.NOTHING);
        if (result.drained && result.undecided == 0 && forgettable) {
            service.delete(names.atomic(dead));
            registry.remove(dead);
        }
        return result;
    }

    private Result drainQueue(MessageQueue queue) {
        AtomicAssembly assembly = new AtomicAssembly();
        long forwarded = 0;
        int emptyPolls = 0;
        for (int polls = 0; emptyPolls < EMPTY_POLLS && polls < POLLS_MAX; polls++) {
            AtomicDrain.Step step = drain.run(queue, assembly, stamp -> false, pollWait);
            forwarded += step.forwarded();
            emptyPolls = step.received() == 0 ? emptyPolls + 1 : 0;
        }
        boolean drained = emptyPolls >= EMPTY_POLLS && queue.depth().visible() == 0;
        long deleted = drained && assembly.undecided() > 0 ? deleteLosers(queue, assembly) : 0;
        drain.show(queue, assembly);
        return new Result(
                forwarded,
                deleted,
                assembly.undecided(),
                assembly.held().size(),
                drained && queue.depth().total() == 0);
    }

    /** A part that is missing here may be in the hands of another recovery; only who holds all messages can tell. */
    private long deleteLosers(MessageQueue queue, AtomicAssembly assembly) {
        if (queue.depth().total() > assembly.held().size()) {
            return 0;
        }
        List<Stamp> losers = assembly.losers(serverClock.nowMillis() - LOSER_AGE.toMillis());
        losers.forEach(assembly::settle);
        drain.deleteSettled(queue, assembly);
        return losers.size();
    }
}
