package io.penstock.commit.simulation;

import io.penstock.commit.ConsistencyLevel;
import java.util.ArrayList;
import java.util.List;

/** The command behind {@code scripts/simulate}: runs seeds and prints what broke. */
public final class Simulate {
    private static final List<ConsistencyLevel> LEVELS =
            List.of(ConsistencyLevel.BASIC, ConsistencyLevel.MONOTONIC, ConsistencyLevel.ATOMIC);

    private Simulate() {}

    /** The scenario of a seed: levels and workloads by turns. */
    static Scenario scenario(long seed) {
        ConsistencyLevel level = LEVELS.get((int) Math.floorMod(seed, (long) LEVELS.size()));
        Workload[] workloads = Workload.values();
        return Scenario.draw(
                seed, level, workloads[(int) Math.floorMod(seed / LEVELS.size(), (long) workloads.length)]);
    }

    public static void main(String[] arguments) {
        long from = arguments.length > 0 ? Long.parseLong(arguments[0]) : 0;
        long count = arguments.length > 1 ? Long.parseLong(arguments[1]) : 1000;
        List<Long> failed = new ArrayList<>();
        long begun = System.nanoTime();
        for (long seed = from; seed < from + count; seed++) {
            Scenario scenario = scenario(seed);
            SimulatedRun.Result result = SimulatedRun.of(scenario);
            if (!result.broken().isEmpty()) {
                failed.add(seed);
                SimulatedRun.Broken first = result.broken().getFirst();
                System.out.println(scenario.replay() + " broke \"" + first.promise() + "\" (and "
                        + (result.broken().size() - 1) + " more): " + first.detail());
            }
        }
        double seconds = (System.nanoTime() - begun) / 1e9;
        System.out.printf("%d seeds, %d failed, %.1f seeds/s%n", count, failed.size(), count / seconds);
        System.exit(failed.isEmpty() ? 0 : 1);
    }
}
