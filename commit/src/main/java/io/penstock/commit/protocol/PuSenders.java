package io.penstock.commit.protocol;

import io.penstock.commit.log.LogRecord;
import io.penstock.commit.queue.PuQueueId;
import io.penstock.commit.queue.PuQueues;
import io.penstock.core.ClientId;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.StoreException;
import io.penstock.core.queue.QueueLimits;
import io.penstock.core.task.Parallel;
import io.penstock.core.task.Tasks;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One group sender for each PU queue, all of one client id and one kind of order. Safe for use by many threads. */
final class PuSenders {
    /** Calls to one queue that may be under way when order does not count. */
    private static final int UNORDERED_IN_FLIGHT = 4;

    private final Tasks tasks;
    private final PuQueues queues;
    private final QueueLimits limits;
    private final SendPolicy policy;
    private final ClientId client;
    private final boolean ordered;
    private final Consumer<PuQueueId> sent;
    private final Map<PuQueueId, GroupSender<LogRecord>> senders = new ConcurrentHashMap<>();

    /** @param sent told of each queue that has got log records */
    PuSenders(
            Tasks tasks,
            PuQueues queues,
            QueueLimits limits,
            SendPolicy policy,
            ClientId client,
            boolean ordered,
            Consumer<PuQueueId> sent) {
        this.tasks = tasks;
        this.queues = queues;
        this.limits = limits;
        this.policy = policy;
        this.client = client;
        this.ordered = ordered;
        this.sent = sent;
    }

    ClientId client() {
        return client;
    }

    /**
     * Sends all records, to several queues at a time; returns when all are there.
     *
     * @throws io.penstock.core.UnavailableException when none of them was sent
     * @throws OutcomeUnknownException when some may have been sent
     */
    List<Position> send(Router router, List<LogRecord> records) {
        TreeMap<PuQueueId, List<LogRecord>> byQueue = new TreeMap<>();
        for (LogRecord record : records) {
            byQueue.computeIfAbsent(router.route(record), q -> new ArrayList<>())
                    .add(record);
        }
        List<Outcome> outcomes = Parallel.map(
                tasks,
                policy.parallelCalls(),
                List.copyOf(byQueue.entrySet()),
                entry -> attempt(entry.getKey(), entry.getValue()));
        return positions(outcomes);
    }

    private Outcome attempt(PuQueueId queue, List<LogRecord> records) {
        try {
            GroupSender.Range range = sender(queue).send(records);
            sent.accept(queue);
            return new Outcome(new Position(queue, client, range.first(), range.last()), null);
        } catch (StoreException failure) {
            return new Outcome(null, failure);
        }
    }

    private static List<Position> positions(List<Outcome> outcomes) {
        List<Position> positions = new ArrayList<>();
        StoreException failure = null;
        for (Outcome outcome : outcomes) {
            if (outcome.position != null) {
                positions.add(outcome.position);
            }
            failure = failure == null ? outcome.failure : failure;
        }
        if (failure == null) {
            return positions;
        }
        boolean nothingSent = positions.isEmpty()
                && outcomes.stream().noneMatch(outcome -> outcome.failure instanceof OutcomeUnknownException);
        if (nothingSent) {
            throw failure;
        }
        throw new OutcomeUnknownException(
                "some log records of a transaction may have been sent, others not; read to find out", failure);
    }

    private record Outcome(
            @Nullable Position position, @Nullable StoreException failure) {}

    /** Whether a failure has left a gap in the numbers of some queue. */
    boolean isBroken() {
        return senders.values().stream().anyMatch(GroupSender::isBroken);
    }

    /** What callers wait for, over all queues. */
    long waitingBytes() {
        return senders.values().stream().mapToLong(GroupSender::waitingBytes).sum();
    }

    private GroupSender<LogRecord> sender(PuQueueId id) {
        GroupSender<LogRecord> known = senders.get(id);
        if (known != null) {
            return known;
        }
        PuFormat format = new PuFormat(client, ordered, policy.itemsPerMessage());
        GroupSender<LogRecord> fresh =
                new GroupSender<>(tasks, queues.open(id), limits, format, ordered ? 1 : UNORDERED_IN_FLIGHT);
        GroupSender<LogRecord> other = senders.putIfAbsent(id, fresh);
        return other == null ? fresh : other;
    }
}
