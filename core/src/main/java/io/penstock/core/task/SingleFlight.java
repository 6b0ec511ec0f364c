package io.penstock.core.task;

import io.penstock.core.UnavailableException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Work that callers want done at the same time is done once: who comes while it is under way gets what it brings, its
 * failure included. So nobody has to wait for the failures of all who came before. Safe for use by many threads.
 *
 * @param <K> names the work
 * @param <T> what it brings
 */
public final class SingleFlight<K, T> {
    private final Tasks tasks;
    private final ConcurrentHashMap<K, Promise<T>> underWay = new ConcurrentHashMap<>();

    public SingleFlight(Tasks tasks) {
        this.tasks = tasks;
    }

    /** Whether somebody is at it. */
    public boolean isUnderWay(K key) {
        return underWay.containsKey(key);
    }

    /** From now on nobody is given what the work that is under way brings, but those who wait for it already. */
    public void detach(K key) {
        underWay.remove(key);
    }

    /** Does the work, or waits for the caller who is at it. */
    public T call(K key, Supplier<T> work) {
        Promise<T> mine = tasks.promise();
        Promise<T> others = underWay.putIfAbsent(key, mine);
        if (others != null) {
            return others.await();
        }
        try {
            // Others wait for it too: an interrupt of this caller must not fail them.
            T result = tasks.shielded("single flight", work);
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
