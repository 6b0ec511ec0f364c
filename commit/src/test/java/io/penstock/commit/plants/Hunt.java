package io.penstock.commit.plants;

import io.penstock.commit.simulation.Scenario;
import io.penstock.commit.simulation.SimulatedRun;
import java.util.stream.Collectors;

/** Runs seeds until one breaks a promise: a process of its own for each plant, which may hang or eat memory. */
public final class Hunt {
    static final String FOUND = "FOUND ";
    static final String NOTHING = "NOTHING ";

    private Hunt() {}

    public static void main(String[] arguments) {
        long from = Long.parseLong(arguments[0]);
        long seeds = Long.parseLong(arguments[1]);
        for (long seed = from; seed < from + seeds; seed++) {
            SimulatedRun.Result result = SimulatedRun.run(Scenario.of(seed));
            if (!result.broken().isEmpty()) {
                System.out.println(FOUND + seed + " "
                        + result.broken().stream()
                                .map(SimulatedRun.Broken::promise)
                                .distinct()
                                .collect(Collectors.joining("; ")));
                System.exit(0); // whatever the simulation has left running
            }
        }
        System.out.println(NOTHING + seeds);
        System.exit(0);
    }
}
