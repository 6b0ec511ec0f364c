package io.penstock.commit.domain;

import io.penstock.commit.domain.Domain.Committed;
import io.penstock.commit.log.LogRecordCodec;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.StoreException;
import io.penstock.core.UnavailableException;
import io.penstock.core.task.MemoryLock;
import io.penstock.core.task.Promise;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicReference;

/** The transactions of this client that wait for a segment, oldest first: by their first try. Safe for many threads. */
final class PendingGroup {
    private final String domain;
    private final Tasks tasks;
    private final Limits limits;
    private final MemoryLock lock = new MemoryLock();
    private final PriorityQueue<Waiting> waiting = new PriorityQueue<>(Waiting.OLDEST_FIRST);

    /** Whether the first that waits did not fit into the last segment, beside those of others. */
    private boolean passedOver;

    PendingGroup(String domain, Tasks tasks, Limits limits) {
        this.domain = domain;
        this.tasks = tasks;
        this.limits = limits;
    }

    /** The stage of a transaction. */
    private enum Stage {
        HERE,
        OUT,
        GIVEN_UP
    }

    /** A transaction, and what becomes of it. Its other fields belong to the thread that has the turn. */
    static final class Waiting {
        private static final long NOT_HANDED_IN = -1;

        /** The number of segments without a transaction after which it is handed in again. */
        private static final long AGAIN = 16;

        static final Comparator<Waiting> OLDEST_FIRST = (one, other) -> Long.signum(one.begunNanos - other.begunNanos);

        private final long bytes;
        private final long begunNanos;
        private final Promise<Committed> end;
        private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.HERE);
        private Intent intent;
        private long sent = NOT_HANDED_IN;
        private boolean contradicted;

        private Waiting(Intent intent, long begunNanos, long bytes, Promise<Committed> end) {
            this.begunNanos = begunNanos;
            this.intent = intent;
            this.bytes = bytes;
            this.end = end;
        }

        /** The transaction, with the last position up to which it is in no segment and nothing contradicts it. */
        Intent intent() {
            return intent;
        }

        /** When its first try began. */
        long begunNanos() {
            return begunNanos;
        }

        /** Notes that others may put it too, after a position. */
        void handedIn(long tip) {
            sent = tip;
        }

        boolean isHandedIn() {
            return sent != NOT_HANDED_IN;
        }

        /** Whether it is to be handed in, for the first time or again. */
        boolean isDue(long tip) {
            return !isHandedIn() || tip - sent >= AGAIN;
        }

        /** Notes that up to a position it is in no segment, and nothing contradicts it. */
        void isOpenAt(long position) {
            intent = intent.at(position);
        }

        /** Notes that it may be in the log from now on; false when its caller has given up, and it must not be put. */
        boolean goesOut() {
            return stage.compareAndSet(Stage.HERE, Stage.OUT) || stage.get() == Stage.OUT;
        }

        /** Notes that it is certainly in no segment, unless others may put it. */
        void isBack() {
            if (!isHandedIn()) {
                stage.compareAndSet(Stage.OUT, Stage.HERE);
            }
        }

        boolean isDone() {
            return end.isDone();
        }

        void succeed(Committed committed) {
            end.complete(committed);
        }

        /** Ends it with a failure; without effect when the end is known. */
        void fail(StoreException failure) {
            end.fail(failure);
        }

        /** Ends it because the log contradicts it. */
        void contradict(StoreException refusal) {
            contradicted = true;
            fail(refusal);
        }

        boolean isContradicted() {
            return contradicted;
        }

        /** Waits for its end, for {@code atMost}; after that the answer is what is known by then. */
        Committed result(Duration atMost) {
            if (!end.awaitFor(atMost)) {
                boolean nowhere = stage.compareAndSet(Stage.HERE, Stage.GIVEN_UP);
                end.fail(
                        nowhere
                                ? new UnavailableException(
                                        "a commit did not come to its turn in time; nothing was committed, retry it")
                                : new OutcomeUnknownException(
                                        "a commit has no answer in time, and may take effect yet; read what it has"
                                                + " written to find out"));
            }
            return end.await();
        }
    }

    /** @param begunNanos when its first try began */
    Waiting add(Intent intent, long begunNanos) {
        long bytes = Segment.TRANSACTION_BYTES_MAX
                + intent.writes().stream().mapToLong(LogRecordCodec::sizeMax).sum();
        if (intent.writes().isEmpty()) {
            throw new InvalidRequestException("a transaction that writes nothing is not for the log", "domain", domain);
        }
        if (bytes > room()) {
            throw new InvalidRequestException(
                    ErrorCode.TOO_LARGE,
                    "a strict transaction does not fit into a segment of the commit log; divide the work among several",
                    "domain",
                    domain,
                    "bytes",
                    bytes,
                    "bytesMax",
                    room());
        }
        Waiting added = new Waiting(intent, begunNanos, bytes, tasks.promise());
        return lock.with(() -> {
            waiting.add(added);
            return added;
        });
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
        lock.run(() -> {
            long bytes = others + group.stream().mapToLong(one -> one.bytes).sum();
            waiting.removeIf(Waiting::isDone);
            while (!waiting.isEmpty()
                    && group.size() < limits.groupTransactions()
                    && bytes + waiting.element().bytes <= room()) {
                Waiting next = waiting.remove();
                bytes += next.bytes;
                group.add(next);
            }
            passedOver = !waiting.isEmpty() && others > 0 && group.size() < limits.groupTransactions();
        });
    }

    boolean isPassedOver() {
        return lock.with(() -> passedOver);
    }

    /** The bytes of transactions of others that fit beside the first that waits. */
    long roomBesideFirst() {
        return lock.with(() -> room() - (waiting.isEmpty() ? 0 : waiting.element().bytes));
    }

    int count() {
        return lock.with(() -> waiting.size());
    }

    boolean isWaiting() {
        return lock.with(() -> !waiting.isEmpty());
    }

    /** Fails all that wait, because the store is away. */
    void turnAway(StoreException cause) {
        lock.run(() -> {
            while (!waiting.isEmpty()) {
                waiting.remove()
                        .fail(new UnavailableException(
                                "an earlier put into the commit log failed; nothing of this was committed, retry it",
                                cause,
                                "domain",
                                domain));
            }
        });
    }
}
