package io.penstock.core.task;

import io.penstock.core.UnavailableException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Runs concurrent calls for the same key once: callers that arrive while it runs share its result or its failure. So no
 * caller waits for the failures of all callers before it. Safe for use by many threads.
 *
 * @param <K> names the work
 * @param <T> the result
 */
public final class SingleFlight<K, T> {
    private final Tasks tasks;
    private final ConcurrentHashMap<K, Promise<T>> underWay = new ConcurrentHashMap<>();

    public SingleFlight(Tasks tasks) {
        this.tasks = tasks;
    }

    /** Whether a call for this key is running. */
    public boolean isUnderWay(K key) {
        return underWay.containsKey(key);
    }

    /** Detaches the running call: new callers no longer join it; those that wait for it still get its result. */
    public void detach(K key) {
        underWay.remove(key);
    }

    /** Detaches all running calls whose keys are {@code which}. */
    public void detachAll(Predicate<K> which) {
        underWay.keySet().removeIf(which);
    }

    /** Runs {@code work}, or waits for the call that is running. */
    public T call(K key, Supplier<T> work) {
        return call(key, shared -> true, work);
    }

    /**
     * Runs {@code work}, or waits for the call that is running, whose result is taken only if it is {@code usable}:
     * that call may have begun too early for this caller.
     */
    public T call(K key, Predicate<T> usable, Supplier<T> work) {
        while (true) {
            Promise<T> mine = tasks.promise();
            Promise<T> others = underWay.putIfAbsent(key, mine);
            if (others == null) {
                return lead(key, mine, work);
            }
            T shared = others.await();
            if (usable.test(shared)) {
                return shared;
            }
            underWay.remove(key, others); // or it would be joined again
        }
    }

    private T lead(K key, Promise<T> mine, Supplier<T> work) {
        try {
            // Others wait for it too: an interrupt of this caller must not fail them.
            T result = tasks.uninterruptibly("single flight", work);
            mine.complete(result);
            return result;
        } catch (RuntimeException failure) {
            mine.fail(failure);
            throw failure;
        } finally {
            underWay.remove(key, mine);
            if (!mine.isDone()) {
                mine.fail(new UnavailableException("work that this call waited for was cut off; retry the call"));
            }
        }
    }
}
