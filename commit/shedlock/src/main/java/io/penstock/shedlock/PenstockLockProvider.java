package io.penstock.shedlock;

import io.penstock.ConsistencyLevel;
import io.penstock.Json;
import io.penstock.Keys;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Transaction;
import io.penstock.core.task.Task;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Predicate;
import net.javacrumbs.shedlock.core.AbstractSimpleLock;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.Utils;

/**
 * Locks in a collection of a store: a lock is held while it has a record there, which the store lets expire.
 *
 * <p>Each change is a transaction at SERIALIZABLE of its own, apart from one that the caller is in. Of a lock's times
 * only the durations count: {@code lockAtMostFor} is the life of the record, which the store's stamps put in one order
 * with all attempts to lock; {@code lockAtLeastFor} is measured by the holder's monotonic clock. So clocks of machines
 * may differ: a lock is free early or late by as much as they do, at most by the store's {@code clockSkewMax}.
 *
 * <p>When the store does not answer, or leaves an outcome unknown, its exception is thrown; a lock that was taken
 * nevertheless ends with its {@code lockAtMostFor}.
 *
 * <p>Safe for use by many threads.
 */
public final class PenstockLockProvider implements ExtensibleLockProvider {
    private static final String COLLECTION = "shedlock";

    private final Penstock store;
    private final RecordCollection<String, Holder> locks;

    /** The locks in the collection {@code shedlock}. */
    public PenstockLockProvider(Penstock store) {
        this(store, COLLECTION);
    }

    /** The locks in a collection of their own. */
    public PenstockLockProvider(Penstock store, String collection) {
        this.store = store;
        this.locks = store.collection(collection, Keys.string(), Json.of(Holder.class))
                .inDomain(RecordCollection.MAIN_DOMAIN);
    }

    @Override
    public Optional<SimpleLock> lock(LockConfiguration wanted) {
        Tasks tasks = store.tasks();
        Holder holder = new Holder(
                Utils.getHostname(),
                Instant.ofEpochMilli(tasks.nowMillis()),
                HexFormat.of().toHexDigits(tasks.random().nextLong())
                        + HexFormat.of().toHexDigits(tasks.random().nextLong()));
        Lock lock = new Lock(wanted, holder, tasks.nanoTime());
        boolean taken = change(wanted.getName(), Optional::isEmpty, lock::hold);
        return taken ? Optional.of(lock) : Optional.empty();
    }

    /** A change of a lock's record. */
    private interface Change {
        void run(Transaction transaction);
    }

    /** Changes a lock if its present holder is as expected, and returns whether it was. */
    private boolean change(String name, Predicate<Optional<Holder>> expected, Change change) {
        // On a thread of its own, which is in no transaction of the caller. It goes on after an interrupt, so that a
        // scheduler that ends its jobs leaves no locks.
        Tasks tasks = store.tasks();
        Task<Boolean> changed = tasks.fork(
                "shedlock",
                () -> store.transact(ConsistencyLevel.SERIALIZABLE, transaction -> {
                    boolean fits = expected.test(transaction.get(locks, name));
                    if (fits) {
                        change.run(transaction);
                    }
                    return fits;
                }));
        return tasks.uninterruptibly("shedlock", changed::join);
    }

    /** A lock that is held, or was. */
    private final class Lock extends AbstractSimpleLock {
        private final Holder holder;
        private final long begunNanos;

        Lock(LockConfiguration configuration, Holder holder, long begunNanos) {
            super(configuration);
            this.holder = holder;
            this.begunNanos = begunNanos;
        }

        private void hold(Transaction transaction) {
            keep(transaction, lockConfiguration.getLockAtMostFor());
        }

        private void keep(Transaction transaction, Duration lives) {
            Duration least = Duration.ofMillis(1);
            transaction.put(locks, lockConfiguration.getName(), holder, lives.compareTo(least) < 0 ? least : lives);
        }

        private boolean isMine(Optional<Holder> found) {
            return found.filter(holder::equals).isPresent();
        }

        @Override
        protected void doUnlock() {
            boolean unused = change(lockConfiguration.getName(), this::isMine, transaction -> {
                Duration held = Duration.ofNanos(store.tasks().nanoTime() - begunNanos);
                Duration left = lockConfiguration.getLockAtLeastFor().minus(held);
                if (left.isPositive()) {
                    keep(transaction, left);
                } else {
                    transaction.delete(locks, lockConfiguration.getName());
                }
            });
        }

        @Override
        protected Optional<SimpleLock> doExtend(LockConfiguration longer) {
            Lock next = new Lock(longer, holder, store.tasks().nanoTime());
            return change(longer.getName(), this::isMine, next::hold) ? Optional.of(next) : Optional.empty();
        }
    }
}
