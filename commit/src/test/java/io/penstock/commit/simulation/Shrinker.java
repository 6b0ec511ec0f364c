package io.penstock.commit.simulation;

import java.util.Optional;

/** Makes a failing scenario smaller, as long as it breaks the same promise: what is left is what matters. */
final class Shrinker {
    private static final int RUNS_MAX = 400;

    private Shrinker() {}

    static Scenario shrink(Scenario failing, String promise) {
        Scenario least = failing;
        int runs = 0;
        boolean progress = true;
        while (progress) {
            progress = false;
            for (Scenario candidate : Cut.smaller(least)) {
                if (runs++ == RUNS_MAX) {
                    return least;
                }
                if (breaks(candidate, promise)) {
                    least = candidate;
                    progress = true;
                    break;
                }
            }
        }
        return least;
    }

    private static boolean breaks(Scenario scenario, String promise) {
        Optional<SimulatedRun.Broken> broken = SimulatedRun.run(scenario).broken().stream()
                .filter(b -> b.promise().equals(promise))
                .findFirst();
        return broken.isPresent();
    }
}
