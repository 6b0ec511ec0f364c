package io.penstock.commit.protocol;

import io.penstock.commit.client.Identity;
import io.penstock.commit.log.AtomicMessage;
import io.penstock.commit.log.LogRecord;
import io.penstock.commit.protocol.Routing.SendPolicy;
import io.penstock.commit.queue.AtomicQueue;
import io.penstock.core.Bytes;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.RefusedException;
import io.penstock.core.StoreException;
import io.penstock.core.UnavailableException;
import io.penstock.core.queue.QueueLimits;
import io.penstock.core.task.SingleFlight;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The protocol that sends the whole transaction to the client's ATOMIC queue; with that it is committed (section 4.4 of
 * the paper). Most transactions fit into one message, which transactions that commit at the same time share. A
 * transaction that is too large for one message is sent in parts. The last part is the commit record, and is sent when
 * all others have arrived.
 */
public final class AtomicCommit implements CommitProtocol {
    /** The most concurrent calls to the ATOMIC queue. Transactions have no order among themselves there. */
    private static final int IN_FLIGHT = 4;

    /**
     * The longest time that sending the parts of a transaction may take: far less than the queue keeps the first of
     * them.
     */
    private static final Duration SEND_MAX = Duration.ofHours(12);

    private final Tasks tasks;
    private final AtomicQueue queue;
    private final QueueLimits limits;
    private final SendPolicy policy;
    private final Forwarder forwarder;
    private final SingleFlight<AtomicQueue, Sender> opening;
    private volatile @Nullable Sender sender;

    /** The sender to the ATOMIC queue of one identity. */
    private record Sender(Identity owner, GroupSender<AtomicMessage.Part> messages) {}

    public AtomicCommit(Tasks tasks, AtomicQueue queue, QueueLimits limits, SendPolicy policy, Forwarder forwarder) {
        this.tasks = tasks;
        this.queue = queue;
        this.limits = limits;
        this.policy = policy;
        this.forwarder = forwarder;
        this.opening = new SingleFlight<>(tasks);
    }

    @Override
    public void commit(StampedTransaction transaction) {
        List<AtomicMessage.Part> parts = parts(transaction);
        forwarder.requireRoom();
        forwarder.begin(transaction.stamp());
        try {
            Sender open = open();
            send(open, parts);
            forwarder.add(transaction, open.owner);
        } finally {
            forwarder.ended(transaction.stamp());
        }
    }

    @Override
    public boolean needsQueue() {
        return true;
    }

    @Override
    public boolean keepsSession() {
        return true;
    }

    private void send(Sender open, List<AtomicMessage.Part> parts) {
        boolean certain = false;
        try {
            sendInOrder(open.messages, parts);
            queue.requireWatched(open.owner);
            certain = true;
        } catch (StoreException failure) {
            certain = parts.size() == 1 && !(failure instanceof OutcomeUnknownException);
            if (failure instanceof RefusedException refusal && refusal.isGone()) {
                forwarder.queueLost();
                queue.lost(open.owner);
            }
            throw failure;
        } finally {
            if (!certain) {
                // The queue may hold parts without the rest, or a transaction that this client does not know of. So the
                // client stays registered when it closes, and others recover its queue.
                open.owner.doubt();
            }
        }
    }

    private void sendInOrder(GroupSender<AtomicMessage.Part> open, List<AtomicMessage.Part> parts) {
        int last = parts.size() - 1;
        long startNanos = tasks.nanoTime();
        long startMillis = tasks.nowMillis();
        if (last > 0) {
            sendAhead(open, parts.subList(0, last));
            if (isLate(startNanos, startMillis)) {
                throw new UnavailableException(
                        "a large transaction took too long to send; nothing was committed, retry it");
            }
        }
        open.send(parts.subList(last, last + 1));
        if (last > 0 && isLate(startNanos, startMillis)) {
            throw new OutcomeUnknownException(
                    "a large transaction took too long to send; read to find out whether it was committed");
        }
    }

    /**
     * Checks both clocks: the monotonic one may stand still while the machine sleeps, and the wall clock may be set.
     */
    private boolean isLate(long startNanos, long startMillis) {
        return tasks.nanoTime() - startNanos > SEND_MAX.toNanos()
                || tasks.nowMillis() - startMillis > SEND_MAX.toMillis();
    }

    /**
     * Sends all parts except the commit record. Whatever happens to them, without the commit record there is no
     * transaction.
     */
    private static void sendAhead(GroupSender<AtomicMessage.Part> open, List<AtomicMessage.Part> parts) {
        try {
            open.send(parts);
        } catch (OutcomeUnknownException e) {
            throw new UnavailableException(
                    "a large transaction could not be sent whole; nothing was committed, retry it", e);
        }
    }

    /** The bytes that callers wait to have sent. */
    public long waitingBytes() {
        Sender known = sender;
        return known == null ? 0 : known.messages.waitingBytes();
    }

    private List<AtomicMessage.Part> parts(StampedTransaction transaction) {
        int room = limits.messageBytes() - AtomicMessage.overheadBytesMax();
        List<List<LogRecord>> runs = new ArrayList<>();
        List<LogRecord> run = new ArrayList<>();
        int bytes = 0;
        for (LogRecord record : transaction.records()) {
            int more = AtomicMessage.recordBytesMax(record);
            if (more > room) {
                throw new InvalidRequestException(
                        ErrorCode.TOO_LARGE,
                        "a record does not fit into a message of this queue service; make it smaller",
                        "bytes",
                        more,
                        "messageBytes",
                        limits.messageBytes());
            }
            if (bytes + more > room) {
                runs.add(run);
                run = new ArrayList<>();
                bytes = 0;
            }
            run.add(record);
            bytes += more;
        }
        runs.add(run);
        if (policy.ownCommitRecord()) {
            runs.add(List.of());
        }
        List<AtomicMessage.Part> parts = new ArrayList<>(runs.size());
        for (List<LogRecord> records : runs) {
            parts.add(new AtomicMessage.Part(transaction.stamp(), parts.size(), runs.size(), records));
        }
        return parts;
    }

    private Sender open() {
        Sender known = sender;
        return known != null && !known.owner.isOver() ? known : opening.call(queue, this::opened);
    }

    private Sender opened() {
        Sender known = sender;
        if (known != null && !known.owner.isOver()) {
            return known;
        }
        try {
            AtomicQueue.Opened to = queue.open();
            Sender fresh = new Sender(
                    to.owner(),
                    new GroupSender<>(
                            tasks, to.messages(), () -> limits, new PartFormat(policy.itemsPerMessage()), IN_FLIGHT));
            sender = fresh;
            return fresh;
        } catch (OutcomeUnknownException e) {
            throw new UnavailableException(
                    "the queue for transactions could not be created; nothing was committed, retry it", e);
        }
    }

    /** The format of messages of an ATOMIC queue, whose items are parts of transactions. */
    private record PartFormat(int itemsMax) implements MessageFormat<AtomicMessage.Part> {
        @Override
        public int overheadBytesMax() {
            return AtomicMessage.frameBytesMax();
        }

        @Override
        public int bytesMax(AtomicMessage.Part part) {
            return part.bytesMax();
        }

        @Override
        public Bytes encode(long first, List<AtomicMessage.Part> parts) {
            return new AtomicMessage(parts).encode();
        }
    }
}
