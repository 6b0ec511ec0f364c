package io.penstock.commit.domain;

import io.penstock.commit.domain.Domain.Committed;
import io.penstock.commit.log.LogRecordCodec;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.StoreException;
import io.penstock.core.UnavailableException;
import io.penstock.core.task.MemoryLock;
import io.penstock.core.task.Promise;
import io.penstock.core.task.Tasks;
import java.util.ArrayDeque;
import java.util.List;

/** The transactions of this client that wait for a segment, oldest first. Safe for many threads. */
final class Gathering {
    private final String domain;
    private final Tasks tasks;
    private final Limits limits;
    private final MemoryLock lock = new MemoryLock();
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();

    Gathering(String domain, Tasks tasks, Limits limits) {
        this.domain = domain;
        this.tasks = tasks;
        this.limits = limits;
    }

    /** A transaction, and what becomes of it. Its other fields are those of who has the turn. */
    static final class Waiting {
        private static final long NOT_HANDED_IN = -1;

        private final Intent intent;
        private final long bytes;
        private final Promise<Committed> end;
        private long born = NOT_HANDED_IN;

        private Waiting(Intent intent, long bytes, Promise<Committed> end) {
            this.intent = intent;
            this.bytes = bytes;
            this.end = end;
        }

        Intent intent() {
            return intent;
        }

        /** Notes that others may put it too, from a position on. */
        void handedIn(long tip) {
            born = tip;
        }

        boolean isHandedIn() {
            return born != NOT_HANDED_IN;
        }

        /** The tip when it was handed in. */
        long born() {
            return born;
        }

        boolean isDone() {
            return end.isDone();
        }

        void succeed(Committed committed) {
            end.complete(committed);
        }

        /** Without effect when the end is known. */
        void fail(StoreException failure) {
            end.fail(failure);
        }

        Committed result() {
            return end.await();
        }
    }

    Waiting add(Intent intent) {
        long bytes = Segment.TRANSACTION_BYTES_MAX
                + intent.writes().stream().mapToLong(LogRecordCodec::sizeMax).sum();
        if (intent.writes().isEmpty() || bytes > room()) {
            throw new InvalidRequestException(
                    "a strict transaction must write something, and fit into a segment; split it",
                    "domain",
                    domain,
                    "bytes",
                    bytes,
                    "bytesMax",
                    room());
        }
        Waiting added = new Waiting(intent, bytes, tasks.promise());
        lock.lock();
        try {
            waiting.add(added);
            return added;
        } finally {
            lock.unlock();
        }
    }

    /** The bytes of transactions that a segment has room for. */
    long room() {
        return limits.segmentBytes() - Segment.OVERHEAD_BYTES_MAX;
    }

    /**
     * Moves as many to a group as fit into a segment with it.
     *
     * @param others the bytes of other transactions that will be there
     */
    void takeInto(List<Waiting> group, long others) {
        long bytes = others + group.stream().mapToLong(one -> one.bytes).sum();
        lock.lock();
        try {
            while (!waiting.isEmpty()
                    && group.size() < limits.groupTransactions()
                    && bytes + waiting.getFirst().bytes <= room()) {
                Waiting next = waiting.removeFirst();
                bytes += next.bytes;
                group.add(next);
            }
        } finally {
            lock.unlock();
        }
    }

    int count() {
        lock.lock();
        try {
            return waiting.size();
        } finally {
            lock.unlock();
        }
    }

    boolean isWaiting() {
        lock.lock();
        try {
            return !waiting.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Fails all that wait, because the store is away. */
    void turnAway(StoreException cause) {
        lock.lock();
        try {
            while (!waiting.isEmpty()) {
                waiting.removeFirst()
                        .fail(new UnavailableException(
                                "an earlier put into the commit log failed; nothing of this was committed, retry it",
                                cause,
                                "domain",
                                domain));
            }
        } finally {
            lock.unlock();
        }
    }
}
