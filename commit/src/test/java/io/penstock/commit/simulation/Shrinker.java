package io.penstock.commit.simulation;

import java.util.function.Predicate;

/**
 * A shrinker of failing scenarios: makes them smaller as long as they break the same promise, so that only what matters
 * is left.
 */
final class Shrinker {
    private static final int RUNS_MAX = 400;

    private Shrinker() {}

    static Scenario shrink(Scenario failing, String promise) {
        return shrink(
                failing,
                scenario -> SimulatedRun.run(scenario).broken().stream()
                        .anyMatch(broken -> broken.promise().equals(promise)));
    }

    static Scenario shrink(Scenario failing, Predicate<Scenario> fails) {
        Scenario least = failing;
        int runs = 0;
        boolean progress = true;
        while (progress) {
            progress = false;
            for (Scenario candidate : Cut.smaller(least)) {
                if (runs++ == RUNS_MAX) {
                    return least;
                }
                if (fails.test(candidate)) {
                    least = candidate;
                    progress = true;
                    break;
                }
            }
        }
        return least;
    }
}
