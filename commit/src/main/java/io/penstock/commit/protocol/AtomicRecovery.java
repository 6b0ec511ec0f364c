package io.penstock.commit.protocol;

import io.penstock.commit.client.ClientContext;
import io.penstock.commit.client.ClientRegistry;
import io.penstock.commit.queue.OversizedTransactions;
import io.penstock.commit.queue.QueueNames;
import io.penstock.core.ClientId;
import io.penstock.core.RefusedException;
import io.penstock.core.UnavailableException;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.queue.QueueService;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Recovery of the transactions that dead clients have left in their ATOMIC queues. Any client may recover any other. It
 * is harmless if several do it at once, or if the other client is alive after all: records keep their stamps, so
 * applying them again changes nothing. (The paper waits for the client to come back; section 4.4.)
 *
 * @param pollWait the wait of each receive; zero where a receive sees all messages anyway
 * @param alone whether no other client can reach these servers, and their counts are exact: then a transaction that
 *     is not committed by now never will be
 * @param leftAlone the transactions that are too large for this client
 */
public record AtomicRecovery(
        QueueService service,
        QueueNames names,
        ClientContext membership,
        AtomicDrain drain,
        Duration pollWait,
        boolean alone,
        OversizedTransactions leftAlone) {
    private static final Logger LOG = LoggerFactory.getLogger(AtomicRecovery.class);

    /**
     * The number of successive receives that must find nothing before a queue counts as drained. Long polls ask all
     * servers.
     */
    private static final int EMPTY_POLLS = 3;

    /** The time for which messages stay hidden that another recovery has received, or whose receive lost its answer. */
    public static final Duration HIDDEN = AtomicDrain.VISIBILITY;

    /** The most attempts to retire a predecessor. */
    private static final int LOOKS_MAX = 5;

    /** The most receives in one recovery of one client. */
    private static final int POLLS_MAX = 100_000;

    /**
     * The time for which a queue is kept after its client's end where clients share the servers: two retention times.
     * Messages that were sent before the client was taken for dead expire after the first. Messages that the client
     * sent later, because it was alive after all, expire after the second.
     */
    private static final Duration QUEUE_LIFE = QueueAttributes.RETENTION_MAX.multipliedBy(2);

    /**
     * The time after a client's end from which an empty queue is believed to be empty, until the next recovery looks
     * again. A queue may report a depth that is out of date: on SQS for a minute after the last change. Polling until a
     * queue is provably empty takes seconds, and there may be many dead clients of four weeks.
     */
    private static final Duration DEPTH_LAG = Duration.ofMinutes(2);

    /**
     * The outcome of recovering one client.
     *
     * @param undecided the number of transactions of which not all parts were found; the queue forgets them when they
     *     expire
     * @param undecidedMessages the number of messages that hold those parts
     * @param tooLarge the number of transactions that stay in the queue for a client that may hold more in memory
     * @param drained whether the queue returned no more messages, and counts none except those of {@code undecided}
     */
    public record Result(long forwarded, long undecided, long undecidedMessages, long tooLarge, boolean drained) {
        static final Result NOTHING = new Result(0, 0, 0, 0, true);

        /** Whether messages are hidden that another recovery, or an answer that was lost, has taken. */
        public boolean isHidden() {
            return !drained && tooLarge == 0;
        }

        private Result plus(long forwardedBefore) {
            return new Result(forwarded + forwardedBefore, undecided, undecidedMessages, tooLarge, drained);
        }
    }

    /** The number of transactions of dead clients that are too large for this client, as far as it has looked. */
    public long tooLarge() {
        return leftAlone.count();
    }

    /** The age of the oldest of them; empty when none are known. */
    public Optional<Duration> oldestTooLarge() {
        return leftAlone.age();
    }

    /**
     * Retires the clients that have messages in an ATOMIC queue and no client object, because that was lost: the next
     * recovery finds them. A client has an object before it makes its queue, and removes it afterwards; one that is
     * alive all the same goes on under another id.
     *
     * @return whether there was any
     */
    public boolean retireStray() {
        List<ClientId> withQueues = service.list(names.atomicPrefix()).stream()
                .flatMap(name -> names.atomicQueue(name).stream())
                .toList();
        if (withQueues.isEmpty()) {
            return false;
        }
        boolean any = false;
        Set<ClientId> registered = membership.registry().all();
        for (ClientId client : withQueues) {
            boolean stray = !registered.contains(client) && !client.equals(membership.client());
            if (stray
                    && service.find(names.atomic(client))
                                    .map(AtomicRecovery::counted)
                                    .orElse(0L)
                            > 0) {
                LOG.warn("the object of a client is lost; what it has committed is recovered client={}", client);
                membership.registry().retireLost(client);
                any = true;
            }
        }
        return any;
    }

    /** Recovers a client that is retired, or silent for too long. */
    public Result recover(ClientRegistry.Known dead) {
        return adopt(dead).map(this::finish).orElse(Result.NOTHING);
    }

    /**
     * Recovers the client that had this one's name, which must not go on before. Where it is unclear whether the other
     * is retired, because an answer was lost or it gave a heartbeat just then, this looks again.
     *
     * @throws UnavailableException when it stays unclear
     */
    public Result recoverPredecessor(ClientId client) {
        for (int look = 0; look < LOOKS_MAX; look++) {
            Optional<ClientRegistry.Known> known = membership.registry().find(client);
            if (known.isEmpty()) {
                return Result.NOTHING;
            }
            Optional<Adopted> adopted = adopt(known.get());
            if (adopted.isPresent()) {
                return finish(adopted.get());
            }
        }
        throw new UnavailableException(
                "the client before could not be retired; open the store again", "client", client);
    }

    /**
     * A dead client that this one recovers.
     *
     * @param old whether its end is so long ago that what its queue counts is up to date
     * @param queue empty where it has none, or where it was not asked for yet
     */
    public record Adopted(ClientId client, boolean old, Optional<MessageQueue> queue, long forwarded) {}

    /**
     * Sees to it that a dead client stays dead, and forwards what its queue counts. That is quick, so that the commits
     * of all can be forwarded before {@link #finish} makes sure that nothing is left.
     */
    public Optional<Adopted> adopt(ClientRegistry.Known dead) {
        ClientRegistry registry = membership.registry();
        ClientId client = dead.client();
        if (dead.retired() && age(dead) >= DEPTH_LAG.toMillis()) {
            return Optional.of(new Adopted(client, true, Optional.empty(), 0));
        }
        if (!registry.adopt(dead)) {
            return Optional.empty();
        }
        if (!dead.queue() && !dead.retired()) {
            registry.remove(client); // it has no queue, and before it makes one it finds that it is not registered
            return Optional.empty();
        }
        Optional<MessageQueue> queue = service.find(names.atomic(client));
        return Optional.of(new Adopted(
                client,
                false,
                queue,
                queue.map(found -> forwardCounted(client, found)).orElse(0L)));
    }

    /** Makes sure that nothing of a client is left; settles it if nothing was left for a while. */
    public Result finish(Adopted dead) {
        ClientRegistry registry = membership.registry();
        String name = names.atomic(dead.client);
        Optional<MessageQueue> queue = dead.queue.or(() -> dead.old ? service.find(name) : Optional.empty());
        // Where little is expected, one look: the count of messages alone is not believed.
        long counted = queue.map(AtomicRecovery::counted).orElse(0L);
        long known = leftAlone.of(dead.client, counted);
        if (known > 0 && counted > 0) {
            return new Result(dead.forwarded, 0, 0, known, false); // all else was forwarded; they still are too large
        }
        int emptyPolls = dead.old && counted == 0 ? 1 : EMPTY_POLLS;
        Result result =
                queue.map(found -> drainQueue(dead.client, found, emptyPolls)).orElse(Result.NOTHING);
        if (alone && result.drained) {
            service.delete(name);
            registry.remove(dead.client);
        } else if (!alone && dead.old && result.equals(Result.NOTHING)) {
            registry.settle(dead.client);
        }
        return result.plus(dead.forwarded);
    }

    /** Forwards as many messages as a queue says that it has; returns the number of transactions. */
    private long forwardCounted(ClientId client, MessageQueue queue) {
        AtomicAssembly assembly = new AtomicAssembly(leftAlone.bytesMax());
        long forwarded = 0;
        try {
            long counted = queue.depth().total();
            if (leftAlone.of(client, counted) > 0) {
                return 0;
            }
            while (counted > 0) {
                AtomicDrain.Step step = drain.run(queue, assembly, stamp -> false, pollWait);
                forwarded += step.forwarded();
                counted = step.received() == 0 ? 0 : counted - step.received();
            }
            drain.show(queue, assembly);
        } catch (RefusedException refusal) {
            requireGone(refusal);
        }
        return forwarded;
    }

    /**
     * Looks once more at a client of which nothing was left: a message that was sent before its end may turn up, or the
     * client was alive after all and has sent another. When nothing can turn up any more it is removed.
     */
    public Result lookAt(ClientRegistry.Known settled) {
        ClientId client = settled.client();
        Optional<MessageQueue> queue = service.find(names.atomic(client));
        boolean forgettable = age(settled) >= QUEUE_LIFE.toMillis();
        if (!forgettable && queue.map(AtomicRecovery::counted).orElse(0L) == 0) {
            return Result.NOTHING;
        }
        Result result =
                queue.map(found -> drainQueue(client, found, EMPTY_POLLS)).orElse(Result.NOTHING);
        if (forgettable && result.drained && result.undecided == 0) {
            service.delete(names.atomic(client));
            membership.registry().forget(client);
        }
        return result;
    }

    private long age(ClientRegistry.Known known) {
        return membership.serverClock().nowMillis() - known.modifiedMillis();
    }

    /**
     * Forwards the committed transactions of a queue. Parts of a transaction that lacks others are left alone: another
     * recovery may have hidden those, the queue may not show them yet, or the client may be alive. No figure of SQS
     * distinguishes these cases, so the parts are left to expire with the queue's retention.
     */
    private Result drainQueue(ClientId client, MessageQueue queue, int emptyPollsMin) {
        AtomicAssembly assembly = new AtomicAssembly(leftAlone.bytesMax());
        long forwarded = 0;
        int emptyPolls = 0;
        try {
            for (int polls = 0; emptyPolls < emptyPollsMin && polls < POLLS_MAX; polls++) {
                AtomicDrain.Step step = drain.run(queue, assembly, stamp -> false, pollWait);
                forwarded += step.forwarded();
                emptyPolls = step.received() == 0 ? emptyPolls + 1 : 0;
            }
            int held = assembly.held().size();
            int tooLarge = assembly.tooLarge().size();
            boolean drained = tooLarge == 0
                    && emptyPolls >= emptyPollsMin
                    && queue.depth().total() <= held;
            drain.show(queue, assembly);
            leftAlone.note(client, assembly.tooLarge(), held);
            long lacking = held - assembly.messagesTooLarge();
            return new Result(forwarded, assembly.undecided().size(), lacking, tooLarge, drained);
        } catch (RefusedException refusal) {
            requireGone(refusal);
            return new Result(forwarded, 0, 0, 0, true);
        }
    }

    private static long counted(MessageQueue queue) {
        try {
            return queue.depth().total();
        } catch (RefusedException refusal) {
            requireGone(refusal);
            return 0;
        }
    }

    /** A queue that is gone is drained: its client was only asleep and closed, or another recovery was faster. */
    private static void requireGone(RefusedException refusal) {
        if (!refusal.isGone()) {
            throw refusal;
        }
    }
}
