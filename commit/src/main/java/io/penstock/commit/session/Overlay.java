package io.penstock.commit.session;

import io.penstock.commit.checkpoint.LedgerStore;
import io.penstock.commit.log.LogRecord;
import io.penstock.commit.log.RecentChanges;
import io.penstock.commit.protocol.StampedTransaction;
import io.penstock.commit.queue.Position;
import io.penstock.commit.queue.PuQueueId;
import io.penstock.core.Bytes;
import io.penstock.core.TreeId;
import io.penstock.core.memory.ByteBudget;
import io.penstock.core.pool.BufferPool;
import io.penstock.core.record.Direction;
import io.penstock.core.record.KeyRange;
import io.penstock.core.record.RecordChange;
import io.penstock.core.task.MemoryLock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A session's own log records, kept until every page that the session may read is sure to show them. That is one TTL
 * after the ledger says that they were applied: then no pooled page is from before that. Where the object store's reads
 * lag, the lag is added. (The paper's session drops them when the page is refreshed, which may be before their
 * checkpoint.) Where memory is short they leave as soon as the ledger has them, and no page of their trees is read any
 * more of which the store was not asked since.
 *
 * <p>Safe for use by many threads.
 */
public final class Overlay implements RecentChanges {
    /**
     * The number of transactions that are checked per commit, on average: a sweep checks all of them, and runs only
     * when enough were added since the last sweep.
     */
    private static final int LOOKS_PER_COMMIT = 64;

    private final LedgerStore ledgers;
    private final BufferPool pool;
    private final ByteBudget budget;
    private final Function<TreeId, Stream<TreeId>> readWith;
    private final long pageAgeMaxNanos;
    private final Map<TreeId, ConcurrentSkipListMap<Bytes, Own>> trees = new ConcurrentHashMap<>();
    private final MemoryLock lock = new MemoryLock();

    // Guarded by lock:
    private final List<Waiting> transactions = new ArrayList<>();
    private final ArrayDeque<StampedTransaction> unsent = new ArrayDeque<>();
    private long addedSinceSweep;
    private boolean closed;

    private record Own(LogRecord record, StampedTransaction transaction) {
        RecordChange change() {
            return record.change();
        }

        Own inPlaceOf(Own earlier) {
            return new Own(record.inPlaceOf(earlier.record), transaction);
        }
    }

    private static final class Waiting {
        final StampedTransaction transaction;
        boolean applied;
        long appliedNanos;

        Waiting(StampedTransaction transaction) {
            this.transaction = transaction;
        }
    }

    /**
     * @param pool of the pages that are read together with this overlay
     * @param budget from which the bytes of a transaction were taken before it is added; they are given back when it
     *     leaves
     * @param readWith the trees in which a checkpoint may note what becomes of a tree's records
     */
    public Overlay(LedgerStore ledgers, BufferPool pool, ByteBudget budget, Function<TreeId, Stream<TreeId>> readWith) {
        this.ledgers = ledgers;
        this.pool = pool;
        this.budget = budget;
        this.readWith = readWith;
        this.pageAgeMaxNanos = pool.ttlNanos();
    }

    /** The age from which no pooled page is used without asking. */
    long pageAgeMaxNanos() {
        return pageAgeMaxNanos;
    }

    /**
     * Makes room for another commit: sweeps if enough transactions were added since the last sweep. So the cost of a
     * commit does not grow with the number of waiting transactions.
     *
     * @param nanos the source of the time, see {@link #sweep}
     */
    public void prepare(LongSupplier nanos) {
        if (lock.with(() -> (addedSinceSweep + 1) * LOOKS_PER_COMMIT >= transactions.size())) {
            sweep(nanos);
        }
    }

    /** Adds a transaction that was committed just now. */
    public void add(StampedTransaction transaction) {
        for (LogRecord record : transaction.records()) {
            Own own = new Own(record, transaction);
            trees.computeIfAbsent(record.tree(), t -> new ConcurrentSkipListMap<>())
                    .merge(
                            record.change().key(),
                            own,
                            (a, b) -> a.change().stamp().isAfter(b.change().stamp()) ? a.inPlaceOf(b) : b.inPlaceOf(a));
        }
        lock.run(() -> {
            if (closed) {
                budget.give(transaction.bytes());
                return;
            }
            transactions.add(new Waiting(transaction));
            if (transaction.positions() == null) {
                unsent.add(transaction);
            }
            addedSinceSweep++;
        });
    }

    /** Ends the session's memory: gives all bytes back, those of a commit under way as soon as it ends. */
    void close() {
        lock.run(() -> {
            closed = true;
            transactions.forEach(waiting -> budget.give(waiting.transaction.bytes()));
            transactions.clear();
        });
    }

    /**
     * The part of this session's own records that is not on every page.
     *
     * @param unapplied the transactions that no ledger is known to have
     * @param pagesNanos the time as of which pages show all the rest; null when all pages do
     */
    record Held(
            List<StampedTransaction> unapplied, @Nullable Long pagesNanos) {}

    /** @param nanos the source of the time, see {@link #sweep} */
    Held held(LongSupplier nanos) {
        sweep(nanos);
        return lock.with(() -> {
            List<StampedTransaction> unapplied = new ArrayList<>();
            Long newest = null;
            for (Waiting waiting : transactions) {
                if (!waiting.applied) {
                    unapplied.add(waiting.transaction);
                } else if (newest == null || waiting.appliedNanos - newest > 0) {
                    newest = waiting.appliedNanos;
                }
            }
            return new Held(unapplied, newest);
        });
    }

    /** Whether transactions of this session are committed and not yet in PU queues. */
    boolean hasUnsent() {
        return lock.with(() -> {
            while (!unsent.isEmpty() && unsent.getFirst().positions() != null) {
                unsent.removeFirst();
            }
            return !unsent.isEmpty();
        });
    }

    /** The session's own change of a key, or null when there is none. */
    @Override
    public @Nullable RecordChange find(TreeId tree, Bytes key) {
        ConcurrentSkipListMap<Bytes, Own> own = trees.get(tree);
        Own found = own == null ? null : own.get(key);
        return found == null ? null : found.change();
    }

    /** The session's own changes in a range of one tree, in key order, as they are now. */
    @Override
    public Iterator<RecordChange> iterate(TreeId tree, KeyRange range, Direction direction) {
        ConcurrentSkipListMap<Bytes, Own> own = trees.get(tree);
        if (own == null || own.isEmpty() || range.isEmpty()) {
            return Collections.emptyIterator();
        }
        Bytes to = range.to();
        NavigableMap<Bytes, Own> part =
                to == null ? own.tailMap(range.from(), true) : own.subMap(range.from(), true, to, false);
        NavigableMap<Bytes, Own> ordered = direction == Direction.ASCENDING ? part : part.descendingMap();
        // A copy, since a scan may outlast the changes in this overlay and still hold pages from before their
        // checkpoint.
        return ordered.values().stream().map(Own::change).toList().iterator();
    }

    /** The keys that the session has written as a writer that knew no index of this epoch. */
    @Override
    public List<Bytes> writtenBefore(TreeId tree, long epoch) {
        ConcurrentSkipListMap<Bytes, Own> own = trees.get(tree);
        return own == null
                ? List.of()
                : own.values().stream()
                        .map(Own::record)
                        .filter(record -> record.epoch() < epoch)
                        .map(record -> record.change().key())
                        .toList();
    }

    /**
     * Drops the transactions that all pages are sure to show. Checks every transaction that is kept.
     *
     * @param nanos the time, by the clock of the pages, asked for after the ledger was looked at: with an earlier one,
     *     a thread that stood still in between would drop what a pooled page does not show yet
     */
    public void sweep(LongSupplier nanos) {
        sweep(nanos, pageAgeMaxNanos);
    }

    /**
     * Sweeps without waiting for the TTL of pages: drops what the ledgers have, and invalidates the pooled pages of
     * these trees, so that they are checked before they are read again.
     */
    void sweepEarly(LongSupplier nanos) {
        sweep(nanos, -1);
    }

    private void sweep(LongSupplier nanos, long keptNanos) {
        List<Waiting> dropped = new ArrayList<>();
        lock.run(() -> {
            addedSinceSweep = 0;
            transactions.removeIf(waiting -> {
                boolean drop = isVisible(waiting, nanos, keptNanos);
                if (drop) {
                    dropped.add(waiting);
                }
                return drop;
            });
        });
        if (keptNanos < pageAgeMaxNanos) {
            checkAgain(dropped);
        }
        for (Waiting waiting : dropped) {
            remove(waiting.transaction);
            budget.give(waiting.transaction.bytes());
        }
    }

    /**
     * Invalidates pages before records are dropped: a reader that does not find them here must find a page that has
     * them.
     */
    private void checkAgain(List<Waiting> dropped) {
        Map<TreeId, Long> times = new TreeMap<>();
        for (Waiting waiting : dropped) {
            long since = waiting.appliedNanos;
            for (LogRecord record : waiting.transaction.records()) {
                Stream.concat(Stream.of(record.tree()), readWith.apply(record.tree()))
                        .forEach(tree -> times.merge(tree, since, (a, b) -> a - b >= 0 ? a : b));
            }
        }
        times.forEach(pool::checkAgain);
    }

    private boolean isVisible(Waiting waiting, LongSupplier nanos, long keptNanos) {
        if (!waiting.applied && isApplied(waiting.transaction)) {
            waiting.applied = true;
            waiting.appliedNanos = nanos.getAsLong();
        }
        return waiting.applied && nanos.getAsLong() - waiting.appliedNanos > keptNanos;
    }

    private boolean isApplied(StampedTransaction transaction) {
        List<Position> positions = transaction.positions();
        return positions != null
                && positions.stream()
                        .allMatch(p -> ledgers.lastSeen(p.queue()).covers(p.client(), p.first(), p.last()));
    }

    private void remove(StampedTransaction transaction) {
        for (LogRecord record : transaction.records()) {
            ConcurrentSkipListMap<Bytes, Own> own = trees.get(record.tree());
            if (own != null) {
                own.computeIfPresent(
                        record.change().key(), (key, value) -> value.transaction == transaction ? null : value);
            }
        }
    }

    /** The queues in whose ledgers this overlay expects its records to appear. */
    public Set<PuQueueId> awaited() {
        Set<PuQueueId> queues = new TreeSet<>();
        lock.run(() -> {
            for (Waiting waiting : transactions) {
                List<Position> positions = waiting.transaction.positions();
                if (!waiting.applied && positions != null) {
                    positions.forEach(position -> queues.add(position.queue()));
                }
            }
        });
        return queues;
    }

    /** The number of committed transactions that are still kept. */
    public int size() {
        return lock.with(() -> transactions.size());
    }
}
