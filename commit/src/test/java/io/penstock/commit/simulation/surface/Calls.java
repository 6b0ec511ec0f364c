package io.penstock.commit.simulation.surface;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/** Counts of the public methods that programs have called, and of the pairs of features that were seen together. */
final class Calls {
    private final Map<String, Long> methods = new TreeMap<>();
    private final Map<String, Long> pairs = new TreeMap<>();

    /** @param method as {@link Surface} names it */
    void called(String method) {
        methods.merge(method, 1L, Long::sum);
    }

    /** Counts each pair of {@code step} with one of {@code others}. */
    void together(String step, Collection<String> others) {
        for (String one : others) {
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
    }
}
