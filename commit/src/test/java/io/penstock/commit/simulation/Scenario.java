package io.penstock.commit.simulation;

import io.penstock.ConsistencyLevel;
import io.penstock.Layout;
import io.penstock.commit.simulation.episode.Episodes;
import io.penstock.core.Compression;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The scenario of one run, drawn from its seed. A run is a pure function of its scenario.
 *
 * @param cuts what was left out of the scenario that the seed has drawn, in words for {@link Cut#parse}
 */
public record Scenario(
        long seed,
        ConsistencyLevel level,
        Workload workload,
        Size size,
        Shape shape,
        Faults faults,
        AdminClients wardens,
        LongRunFaults perils,
        List<String> cuts) {
    /** Far above what the pages of a run take together. */
    private static final long LARGE_POOL_BYTES = 4 << 20;

    /** Names of cuts. */
    static final String ONE_LEVEL = "one-level";

    static final String NO_EPISODE = "no-episode";

    static final String SHORT = "short";

    /** As production code has it. */
    private static final int DRAIN_AT = 32;

    /** Pages above this do not split in workloads of few keys. */
    private static final int SMALL_PAGE_BYTES = 2 << 10;

    /**
     * The size of a run.
     *
     * @param sessions users of each machine, each with a session of its own
     * @param transactions of each user
     * @param keys to choose from
     */
    record Size(int machines, int sessions, int transactions, int keys) {}

    /** The scenario of a seed: levels and workloads by turns, the rest by chance. */
    public static Scenario of(long seed) {
        return Draw.scenario(seed, null, null);
    }

    /** The same with compressed collections. */
    Scenario compressed() {
        return with(shape.withCompression(Compression.ZSTD));
    }

    Scenario with(Size next) {
        return new Scenario(seed, level, workload, next, shape, faults, wardens, perils, cuts);
    }

    Scenario with(Shape next) {
        return new Scenario(seed, level, workload, size, next, faults, wardens, perils, cuts);
    }

    Scenario with(Faults next) {
        return new Scenario(seed, level, workload, size, shape, next, wardens, perils, cuts);
    }

    Scenario with(AdminClients next) {
        return new Scenario(seed, level, workload, size, shape, faults, next, perils, cuts);
    }

    Scenario with(LongRunFaults next) {
        return new Scenario(seed, level, workload, size, shape, faults, wardens, next, cuts);
    }

    Scenario with(List<String> next) {
        return new Scenario(seed, level, workload, size, shape, faults, wardens, perils, next);
    }

    boolean isCompressed() {
        return shape.compression() != Compression.NONE;
    }

    /** Whether the store has no queues. */
    boolean isInBucketAlone() {
        return seed >= Draw.BUCKET_ALONE_FROM && level.compareTo(ConsistencyLevel.ATOMIC) > 0;
    }

    /** Whether all records share one page and one queue. */
    boolean sharesOnePage() {
        return shape.pageBytes() > SMALL_PAGE_BYTES
                && workload.hasFewKeys()
                && shape.layout().equals(Layout.partitioned(1));
    }

    /** Whether a machine that nothing strikes cannot be taken for dead, nor one of its sends fail for good. */
    boolean keepsTheLivingAlive() {
        boolean answersAreLost = faults.world().lostAnswer() > 0 || faults.bursts() > 0 || perils.losses() > 0;
        return !answersAreLost && faults.idle().isZero() && !clocksStep() && perils.foreign() == 0;
    }

    /** Whether clocks do not run evenly. */
    boolean clocksStep() {
        return faults.jumps() > 0 && !faults.skew().isZero() || !perils.steps().isZero();
    }

    /** The number of forwarded transactions at which a client drains its ATOMIC queue: in some seeds a few. */
    int drainAt() {
        SplittableRandom random = new SplittableRandom(seed * 32_452_867 + 5);
        return random.nextInt(4) == 0 ? 1 + random.nextInt(4) : DRAIN_AT;
    }

    /** Whether each transaction of a session has one of two levels: in some seeds, drawn apart from all else. */
    boolean mixesLevels() {
        SplittableRandom random = new SplittableRandom(seed * 49_979_693 + 9);
        return level == ConsistencyLevel.MONOTONIC && random.nextInt(6) == 0 && !cuts.contains(ONE_LEVEL);
    }

    /** Whether a short run of another kind follows. They are about queues, which levels with isolation do not use. */
    boolean hasEpisode() {
        return Episodes.isThere(seed)
                && level.compareTo(ConsistencyLevel.ATOMIC) <= 0
                && !cuts.contains(NO_EPISODE)
                && !cuts.contains(SHORT);
    }

    /** The words that a failure prints, to run the same again. */
    String replay() {
        String all =
                "seed=" + seed + " level=" + level + " workload=" + workload + (isCompressed() ? " compressed" : "");
        return cuts.isEmpty() ? all : all + " cut=" + String.join(",", cuts);
    }
}
