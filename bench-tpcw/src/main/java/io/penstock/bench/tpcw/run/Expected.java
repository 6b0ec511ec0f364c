package io.penstock.bench.tpcw.run;

import io.penstock.Entry;
import io.penstock.core.Stamp;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The expected content of one collection: its population merged with all acknowledged writes, the newest stamp wins.
 * For one thread.
 */
final class Expected<K, V> {
    private record Winner<V>(V value, Stamp stamp) {}

    private final Function<K, @Nullable V> population;
    private final long populationRows;
    private final Map<K, Winner<V>> winners = new HashMap<>();
    private final Map<K, Set<V>> tolerated = new HashMap<>();

    /** @param population the row of a key, null for a key that it does not have */
    Expected(Function<K, @Nullable V> population, long populationRows) {
        this.population = population;
        this.populationRows = populationRows;
    }

    /** An acknowledged write. */
    void acknowledge(K key, V value, Stamp stamp) {
        Winner<V> present = winners.get(key);
        if (present == null || stamp.isAfter(present.stamp)) {
            winners.put(key, new Winner<>(value, stamp));
        }
    }

    /** A write of unknown outcome: its stamp is not known either, so finding it is no loss of what was there before. */
    void tolerate(K key, V value) {
        tolerated.computeIfAbsent(key, k -> new HashSet<>()).add(value);
    }

    /**
     * Counts the acknowledged rows that are missing from {@code found} or differ there. {@code found} is in key order.
     */
    long lost(Iterator<Entry<K, V>> found) {
        long kept = 0;
        K last = null;
        while (found.hasNext()) {
            Entry<K, V> entry = found.next();
            if (!entry.key().equals(last) && isExpected(entry)) {
                kept++;
            }
            last = entry.key();
        }
        long added = winners.keySet().stream()
                .filter(key -> population.apply(key) == null)
                .count();
        return populationRows + added - kept;
    }

    private boolean isExpected(Entry<K, V> entry) {
        Winner<V> winner = winners.get(entry.key());
        V wanted = winner == null ? population.apply(entry.key()) : winner.value;
        if (wanted == null) {
            return false;
        }
        return wanted.equals(entry.value())
                || tolerated.getOrDefault(entry.key(), Set.of()).contains(entry.value());
    }
}
