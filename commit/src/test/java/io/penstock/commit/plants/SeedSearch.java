package io.penstock.commit.plants;

import io.penstock.commit.simulation.Scenario;
import io.penstock.commit.simulation.SimulatedRun;
import java.util.List;

/**
 * A program that runs seeds until one breaks a given promise: a process of its own for each plant, which may hang or
 * fill its memory.
 */
public final class SeedSearch {
    static final String FOUND = "FOUND ";
    static final String OTHER = "OTHER ";
    static final String NOTHING = "NOTHING ";

    private SeedSearch() {}

    public static void main(String[] arguments) {
        long from = Long.parseLong(arguments[0]);
        long seeds = Long.parseLong(arguments[1]);
        String promise = arguments[2];
        for (long seed = from; seed < from + seeds; seed++) {
            SimulatedRun.Result result = SimulatedRun.run(Scenario.of(seed));
            List<String> broken = result.broken().stream()
                    .map(SimulatedRun.Broken::promise)
                    .distinct()
                    .toList();
            if (broken.contains(promise)) {
                System.out.println(FOUND + seed + " " + String.join("; ", broken));
                System.exit(0); // whatever the simulation has left running
            } else if (!broken.isEmpty()) {
                System.out.println(OTHER + seed + " " + String.join("; ", broken));
            }
        }
        System.out.println(NOTHING + seeds);
        System.exit(0);
    }
}
