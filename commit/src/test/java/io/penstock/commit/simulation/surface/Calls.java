package io.penstock.commit.simulation.surface;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Counts of the public methods that programs have called, and of the pairs of features that were seen together. */
final class Calls {
    private final Map<String, Long> methods = new TreeMap<>();
    private final Map<String, Long> pairs = new TreeMap<>();
    private final Set<String> seen = new TreeSet<>();

    /** @param method as {@link Surface} names it */
    void called(String method) {
        methods.merge(method, 1L, Long::sum);
    }

    /** Counts each pair of {@code step} with one of {@code others}, and of those among each other. */
    void together(String step, Collection<String> others) {
        seen.add(step);
        for (String one : others) {
            seen.add(one);
            pairs.merge(pair(step, one), 1L, Long::sum);
        }
    }

    static String pair(String a, String b) {
        return a.compareTo(b) < 0 ? a + " x " + b : b + " x " + a;
    }

    Map<String, Long> methods() {
        return methods;
    }

    Map<String, Long> pairs() {
        return pairs;
    }

    void add(Calls other) {
        other.methods.forEach((name, count) -> methods.merge(name, count, Long::sum));
        other.pairs.forEach((name, count) -> pairs.merge(name, count, Long::sum));
        seen.addAll(other.seen);
    }
}
