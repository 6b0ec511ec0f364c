package io.penstock.commit.simulation;

import io.penstock.commit.ConsistencyLevel;
import io.penstock.commit.Layout;
import io.penstock.commit.Settings;
import io.penstock.core.sim.World;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What one run is about, drawn from its seed. Fault mixes differ from seed to seed, some faults off altogether: a fault
 * that is always on hides what another would show (swarm testing, Groce et al., ISSTA 2012).
 */
record Scenario(
        long seed,
        ConsistencyLevel level,
        Workload workload,
        int clients,
        int transactions,
        int keys,
        World world,
        double crashes,
        Layout layout,
        int pageBytes,
        Duration checkpointInterval,
        Duration forwardInterval,
        Duration ttl,
        Duration lease,
        long poolBytes) {
    private static final List<ConsistencyLevel> LEVELS =
            List.of(ConsistencyLevel.BASIC, ConsistencyLevel.MONOTONIC, ConsistencyLevel.ATOMIC);

    /** The scenario of a seed: levels and workloads by turns, the rest by chance. */
    static Scenario of(long seed) {
        ConsistencyLevel level = LEVELS.get((int) Math.floorMod(seed, (long) LEVELS.size()));
        Workload[] workloads = Workload.values();
        return draw(seed, level, workloads[(int) Math.floorMod(seed / LEVELS.size(), (long) workloads.length)]);
    }

    private static Scenario draw(long seed, ConsistencyLevel level, Workload workload) {
        SplittableRandom random = new SplittableRandom(seed * 31 + 17);
        World world = new World(
                maybe(random, 0.05),
                maybe(random, 0.05),
                maybe(random, 0.1),
                Duration.ZERO,
                maybe(random, 0.2),
                maybe(random, 0.7),
                Duration.ofMillis(random.nextBoolean() ? 0 : random.nextInt(1, 3000)));
        return new Scenario(
                seed,
                level,
                workload,
                random.nextInt(1, 5),
                random.nextInt(4, 25),
                random.nextInt(3, 60),
                world,
                random.nextBoolean() ? 0 : random.nextDouble(),
                layout(random),
                1 << random.nextInt(9, 13),
                millis(random, 200, 10_000),
                millis(random, 20, 3_000),
                millis(random, 50, 20_000),
                millis(random, 100, 60_000),
                64L << random.nextInt(10, 16));
    }

    private static double maybe(SplittableRandom random, double most) {
        return random.nextBoolean() ? 0 : random.nextDouble() * most;
    }

    private static Duration millis(SplittableRandom random, int min, int max) {
        return Duration.ofMillis(random.nextInt(min, max));
    }

    private static Layout layout(SplittableRandom random) {
        return switch (random.nextInt(3)) {
            case 0 -> Layout.partitioned(1);
            case 1 -> Layout.partitioned(random.nextInt(2, 5));
            default -> Layout.perLeaf();
        };
    }

    Settings apply(Settings settings) {
        return settings.level(level)
                .layout(layout)
                .pageBytes(pageBytes)
                .poolBytes(poolBytes)
                .ttl(ttl)
                .lease(lease)
                .checkpointInterval(checkpointInterval)
                .forwardInterval(forwardInterval)
                .heartbeatInterval(Duration.ofSeconds(5))
                .deadAfter(Duration.ofSeconds(30));
    }

    /** The words that a failure prints, to run the same again. */
    String replay() {
        return "seed=" + seed + " level=" + level + " workload=" + workload;
    }
}
