package io.penstock.commit.protocol;

import io.penstock.commit.client.Membership;
import io.penstock.commit.queue.QueueNames;
import io.penstock.core.ClientId;
import io.penstock.core.RefusedException;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.queue.QueueService;
import java.time.Duration;
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
     * How long after its client's end a queue is kept, where servers are shared: what is sent to it until the client is
     * taken for dead is forgotten after one retention, and what a client sends that lived on after another.
     */
    private static final Duration QUEUE_LIFE = QueueAttributes.RETENTION_MAX.multipliedBy(2);

    private final QueueService service;
    private final QueueNames names;
    private final Membership membership;
    private final AtomicDrain drain;
    private final Duration pollWait;
    private final boolean alone;

    /**
     * A queue may show a depth that is out of date: on SQS for a minute after the last change. Later than this after
     * its client's end an empty one is believed, until the next recovery looks again: to poll it until it is provably
     * empty takes seconds, and the dead of four weeks may be many.
     */
    private static final Duration DEPTH_LAG = Duration.ofMinutes(2);

    /**
     * What was done for one client.
     *
     * @param undecided transactions of which it has not found all parts; the queue forgets them when they are old
     * @param undecidedMessages in which their parts are
     * @param drained its queue showed nothing any more, and counts no message but those of {@code undecided}
     * @param settled it is retired for so long that its queue, which counts no message, most likely stays empty
     */
    public record Result(long forwarded, long undecided, long undecidedMessages, boolean drained, boolean settled) {
        static final Result NOTHING = new Result(0, 0, 0, true, false);
        static final Result SETTLED = new Result(0, 0, 0, true, true);
    }

    /**
     * @param pollWait of each receive; zero where a receive sees all messages anyway
     * @param alone whether no other client can reach these servers, and their counts are exact: then what is not
     *     committed by now never will be
     */
    public AtomicRecovery(
            QueueService service,
            QueueNames names,
            Membership membership,
            AtomicDrain drain,
            Duration pollWait,
            boolean alone) {
        this.service = service;
        this.names = names;
        this.membership = membership;
        this.drain = drain;
        this.pollWait = pollWait;
        this.alone = alone;
    }

    public Result recover(ClientId dead) {
        Optional<Long> retiredMillis = membership.registry().adopt(dead);
        if (retiredMillis.isEmpty()) {
            return Result.NOTHING;
        }
        Optional<MessageQueue> queue = service.find(names.atomic(dead));
        long age = membership.serverClock().nowMillis() - retiredMillis.get();
        // Also without a queue: a client that only slept may create it at this very moment.
        boolean forgettable = alone || age >= QUEUE_LIFE.toMillis();
        boolean emptyByNow = age >= DEPTH_LAG.toMillis()
                && queue.map(AtomicRecovery::isEmpty).orElse(true);
        if (!forgettable && emptyByNow) {
            return Result.SETTLED;
        }
        Result result = queue.map(this::drainQueue).orElse(Result.NOTHING);
        if (forgettable && result.drained && (alone || result.undecided == 0)) {
            service.delete(names.atomic(dead));
            membership.registry().remove(dead);
        }
        return result;
    }

    /**
     * Parts of a transaction without the others are left alone: these may be hidden by another recovery, or not be
     * shown yet, or their client may live. No figure of SQS tells, so the queue's retention is left to remove them.
     */
    private Result drainQueue(MessageQueue queue) {
        AtomicAssembly assembly = new AtomicAssembly();
        long forwarded = 0;
        int emptyPolls = 0;
        try {
            for (int polls = 0; emptyPolls < EMPTY_POLLS && polls < POLLS_MAX; polls++) {
                AtomicDrain.Step step = drain.run(queue, assembly, stamp -> false, pollWait);
                forwarded += step.forwarded();
                emptyPolls = step.received() == 0 ? emptyPolls + 1 : 0;
            }
            int held = assembly.held().size();
            boolean drained = emptyPolls >= EMPTY_POLLS && queue.depth().total() <= held;
            drain.show(queue, assembly);
            return new Result(forwarded, assembly.undecided().size(), held, drained, false);
        } catch (RefusedException refusal) {
            requireGone(refusal);
            return new Result(forwarded, 0, 0, true, false);
        }
    }

    private static boolean isEmpty(MessageQueue queue) {
        try {
            return queue.depth().total() == 0;
        } catch (RefusedException refusal) {
            requireGone(refusal);
            return true;
        }
    }

    /** A queue that is gone is drained: its client was only asleep and closed, or another recovery was faster. */
    private static void requireGone(RefusedException refusal) {
        if (!refusal.isGone()) {
            throw refusal;
        }
    }
}
