package io.penstock.commit.protocol;

import io.penstock.commit.log.LogRecord;
import io.penstock.commit.log.PuMessage;
import io.penstock.commit.queue.Position;
import io.penstock.commit.queue.PuQueueId;
import io.penstock.core.ClientId;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.StoreException;
import io.penstock.core.TreeId;
import io.penstock.core.task.Parallel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The group senders of one client id, one for each PU queue. All of them keep order, or none does. Safe for use by many
 * threads.
 */
final class PuSenders {
    /** The most concurrent calls to one queue when order does not count. */
    private static final int UNNUMBERED_IN_FLIGHT = 4;

    private final ClientId client;
    private final boolean numbersRecords;

    /** The predecessor of each queue's first message, where this id took the place of another. */
    private final Map<PuQueueId, PuMessage.Predecessor> predecessors;

    private final Map<PuQueueId, GroupSender<LogRecord>> senders = new ConcurrentHashMap<>();

    private PuSenders(ClientId client, boolean numbersRecords, Map<PuQueueId, PuMessage.Predecessor> predecessors) {
        this.client = client;
        this.numbersRecords = numbersRecords;
        this.predecessors = new ConcurrentHashMap<>(predecessors);
    }

    /** Senders whose records are applied in any order. */
    static PuSenders unordered(ClientId client) {
        return new PuSenders(client, false, Map.of());
    }

    /** Senders that number the records of each queue, so that they are applied in that order. */
    static PuSenders ordered(ClientId client, Map<PuQueueId, PuMessage.Predecessor> predecessors) {
        return new PuSenders(client, true, predecessors);
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
    List<Position> send(SendContext lane, List<LogRecord> records) {
        return positions(attempt(lane, records));
    }

    /**
     * Sends all records, to several queues at a time; returns the outcome of each queue's share. Records of trees that
     * were dropped are in none.
     */
    List<Share> attempt(SendContext lane, List<LogRecord> records) {
        TreeMap<PuQueueId, List<LogRecord>> byQueue = new TreeMap<>();
        for (LogRecord record : inUse(lane, records)) {
            byQueue.computeIfAbsent(lane.router().route(record), q -> new ArrayList<>())
                    .add(record);
        }
        return Parallel.map(
                lane.tasks(),
                lane.policy().parallelCalls(),
                List.copyOf(byQueue.entrySet()),
                entry -> attempt(lane, entry.getKey(), entry.getValue()));
    }

    private static List<LogRecord> inUse(SendContext lane, List<LogRecord> records) {
        Set<TreeId> dropped = records.stream()
                .map(LogRecord::tree)
                .distinct()
                .filter(lane.dropped())
                .collect(Collectors.toSet());
        return dropped.isEmpty()
                ? records
                : records.stream()
                        .filter(record -> !dropped.contains(record.tree()))
                        .toList();
    }

    private Share attempt(SendContext lane, PuQueueId queue, List<LogRecord> records) {
        try {
            lane.queues().requireSound(queue);
            GroupSender.Range range = sender(lane, queue).send(lane.queues().open(queue), records);
            Position position = new Position(queue, client, range.first(), range.last());
            lane.sent().accept(numbersRecords ? position : Position.unordered(queue, client));
            return new Share(records, position, null);
        } catch (StoreException failure) {
            return new Share(records, null, failure);
        }
    }

    /** To be run if a queue is found to be missing, with what this id has sent so far: nothing waits for that. */
    Runnable whenMissing(PuQueueId queue) {
        GroupSender<LogRecord> before = senders.get(queue);
        boolean arrived = before != null && before.hasArrived();
        return () -> {
            boolean expected = predecessors.remove(queue) != null;
            GroupSender<LogRecord> sender = senders.get(queue);
            if (numbersRecords && sender != null && (expected || arrived)) {
                sender.lose();
            }
        };
    }

    /** The positions of all shares; throws as {@link #send} where one has failed. */
    static List<Position> positions(List<Share> shares) {
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

    /** Whether a queue refuses a record for its size, and so whatever is sent with it. */
    static boolean isRefusal(@Nullable StoreException failure) {
        Throwable cause = failure;
        while (cause != null
                && !(cause instanceof InvalidRequestException refused && refused.code() == ErrorCode.TOO_LARGE)) {
            cause = cause.getCause();
        }
        return cause != null;
    }

    /** Whether a failure has left a gap in the numbers of some queue. */
    boolean isBroken() {
        return senders.values().stream().anyMatch(GroupSender::isBroken);
    }

    /** The bytes that callers wait to have sent, over all queues. */
    long waitingBytes() {
        return senders.values().stream().mapToLong(GroupSender::waitingBytes).sum();
    }

    /**
     * Ends all senders, and returns what each queue's first message under another id comes after: what has arrived
     * under this one, or is on its way.
     */
    Map<PuQueueId, PuMessage.Predecessor> retire() {
        Map<PuQueueId, PuMessage.Predecessor> last = new HashMap<>(predecessors);
        senders.forEach((queue, sender) -> {
            long number = sender.retire();
            if (number > 0) {
                last.put(queue, new PuMessage.Predecessor(client, number));
            } else if (sender.isLost()) {
                last.remove(queue);
            }
        });
        return last;
    }

    private GroupSender<LogRecord> sender(SendContext lane, PuQueueId id) {
        GroupSender<LogRecord> known = senders.get(id);
        if (known != null) {
            return known;
        }
        PuFormat format = new PuFormat(client, numbersRecords, lane.policy().itemsPerMessage(), predecessors.get(id));
        GroupSender<LogRecord> fresh = new GroupSender<>(
                lane.tasks(),
                lane.queues().open(id),
                () -> lane.queues().limits(id),
                format,
                numbersRecords ? 1 : UNNUMBERED_IN_FLIGHT);
        GroupSender<LogRecord> other = senders.putIfAbsent(id, fresh);
        return other == null ? fresh : other;
    }
}
