package io.penstock.commit.protocol;

import io.penstock.commit.log.LogRecord;
import io.penstock.commit.queue.Position;
import io.penstock.commit.queue.PuQueueId;
import io.penstock.core.ClientId;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.StoreException;
import io.penstock.core.task.Parallel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The group senders of one client id, one for each PU queue. All of them keep order, or none does. Safe for use by many
 * threads.
 */
final class PuSenders {
    /** The most concurrent calls to one queue when order does not count. */
    private static final int UNNUMBERED_IN_FLIGHT = 4;

    private final SendContext context;
    private final ClientId client;
    private final boolean numbersRecords;
    private final Map<PuQueueId, GroupSender<LogRecord>> senders = new ConcurrentHashMap<>();

    /** @param numbersRecords whether the records of each queue are numbered and applied in that order */
    PuSenders(SendContext context, ClientId client, boolean numbersRecords) {
        this.context = context;
        this.client = client;
        this.numbersRecords = numbersRecords;
    }

    ClientId client() {
        return client;
    }

    /**
     * Sends all records, to several queues in parallel, and returns when all have arrived.
     *
     * @throws io.penstock.core.UnavailableException when none of them was sent
     * @throws OutcomeUnknownException when some may have been sent
     */
    List<Position> send(List<LogRecord> records) {
        return positions(attempt(records));
    }

    /** Sends all records, to several queues at a time; returns the outcome of each queue's share. */
    List<Share> attempt(List<LogRecord> records) {
        TreeMap<PuQueueId, List<LogRecord>> byQueue = new TreeMap<>();
        for (LogRecord record : records) {
            byQueue.computeIfAbsent(context.router().route(record), q -> new ArrayList<>())
                    .add(record);
        }
        return Parallel.map(
                context.tasks(),
                context.policy().parallelCalls(),
                List.copyOf(byQueue.entrySet()),
                entry -> attempt(entry.getKey(), entry.getValue()));
    }

    private Share attempt(PuQueueId queue, List<LogRecord> records) {
        try {
            context.queues().requireSound(queue);
            GroupSender.Range range = sender(queue).send(records);
            Position position = new Position(queue, client, range.first(), range.last());
            context.sent().accept(numbersRecords ? position : Position.unordered(queue, client));
            return new Share(records, position, null);
        } catch (StoreException failure) {
            return new Share(records, null, failure);
        }
    }

    private static List<Position> positions(List<Share> shares) {
        List<Position> positions = new ArrayList<>();
        StoreException failure = null;
        for (Share share : shares) {
            if (share.position != null) {
                positions.add(share.position);
            }
            failure = failure == null ? share.failure : failure;
        }
        if (failure == null) {
            return positions;
        }
        boolean nothingSent = positions.isEmpty()
                && shares.stream().noneMatch(share -> share.failure instanceof OutcomeUnknownException);
        if (nothingSent) {
            throw failure;
        }
        throw new OutcomeUnknownException(
                "some log records of a transaction may have been sent, others not; read to find out", failure);
    }

    /**
     * The outcome of sending the log records of one queue.
     *
     * @param position where they are; null when they are not all there
     * @param failure null when they are
     */
    record Share(
            List<LogRecord> records,
            @Nullable Position position,
            @Nullable StoreException failure) {}

    /** Whether a failure has left a gap in the numbers of some queue. */
    boolean isBroken() {
        return senders.values().stream().anyMatch(GroupSender::isBroken);
    }

    /** The bytes that callers wait to have sent, over all queues. */
    long waitingBytes() {
        return senders.values().stream().mapToLong(GroupSender::waitingBytes).sum();
    }

    private GroupSender<LogRecord> sender(PuQueueId id) {
        GroupSender<LogRecord> known = senders.get(id);
        if (known != null) {
            return known;
        }
        PuFormat format = new PuFormat(client, numbersRecords, context.policy().itemsPerMessage());
        GroupSender<LogRecord> fresh = new GroupSender<>(
                context.tasks(),
                context.queues().open(id),
                () -> context.queues().limits(id),
                format,
                numbersRecords ? 1 : UNNUMBERED_IN_FLIGHT);
        GroupSender<LogRecord> other = senders.putIfAbsent(id, fresh);
        return other == null ? fresh : other;
    }
}
