package io.penstock.commit.simulation;

import io.penstock.ConsistencyLevel;
import io.penstock.Layout;
import io.penstock.core.Compression;
import io.penstock.core.queue.QueueLimits;
import io.penstock.core.sim.Profile;
import io.penstock.core.sim.World;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A generator of scenarios. Fault mixes differ from seed to seed, and most faults are off altogether: a fault that is
 * always on hides what another would show (swarm testing, Groce et al., ISSTA 2012).
 */
final class Draw {
    /** NAIVE has little to check, so its turn comes less often. */
    static final List<ConsistencyLevel> LEVELS = List.of(
            ConsistencyLevel.BASIC,
            ConsistencyLevel.MONOTONIC,
            ConsistencyLevel.ATOMIC,
            ConsistencyLevel.MONOTONIC,
            ConsistencyLevel.ATOMIC,
            ConsistencyLevel.BASIC,
            ConsistencyLevel.ATOMIC,
            ConsistencyLevel.MONOTONIC,
            ConsistencyLevel.NAIVE);

    /** Messages so small that few records fill one, and few of them a batch. */
    private static final QueueLimits SMALL_MESSAGES = new QueueLimits(3, 2 << 10, 1 << 10);

    private final SplittableRandom random;

    private Draw(SplittableRandom random) {
        this.random = random;
    }

    static Scenario scenario(long seed, @Nullable ConsistencyLevel level, @Nullable Workload workload) {
        // Streams of their own, so that one part can be cut down without changing another.
        SplittableRandom all = new SplittableRandom(seed * 31 + 17);
        Draw size = new Draw(all.split());
        Draw shape = new Draw(all.split());
        Draw faults = new Draw(all.split());
        Draw wardens = new Draw(all.split());
        Draw crowd = new Draw(all.split());
        Workload[] workloads = Workload.values();
        Workload chosen = workload != null
                ? workload
                : workloads[(int) Math.floorMod(seed / LEVELS.size(), (long) workloads.length)];
        Faults drawn = faults.faults();
        Scenario plain = new Scenario(
                seed,
                level != null ? level : LEVELS.get((int) Math.floorMod(seed, (long) LEVELS.size())),
                chosen,
                size.size(),
                shape.shape(chosen, drawn.isEventual()),
                drawn,
                Wardens.NONE,
                List.of());
        return crowd.crowded(wardens.watched(plain));
    }

    /**
     * In some seeds there are always machines that take others for dead, and the dead leave much: a crash finds
     * transactions that are not forwarded, in many messages, and some machines only seem to be dead for a while.
     */
    private Scenario watched(Scenario s) {
        if (random.nextInt(3) > 0) {
            return s;
        }
        Duration deadAfter = millis(2_000, 15_000);
        Shape shape = s.shape().withDeaths(deadAfter, millis(1_000, 30_000));
        shape = random.nextBoolean() ? shape.withProfile(limited(shape.profile())) : shape;
        shape = random.nextBoolean() ? shape.withLayout(Layout.perLeaf()) : shape;
        Faults faults = s.faults()
                .withCrashes(Math.max(s.faults().crashes(), random.nextDouble()))
                .withRelapses(random.nextInt(3) == 0 ? 0 : random.nextDouble());
        World w = faults.world();
        double missed = random.nextBoolean() ? w.missed() : Math.max(w.missed(), random.nextDouble());
        faults = faults.withWorld(new World(
                w.unavailable(), w.lostAnswer(), w.slow(), w.staleFor(), w.duplicate(), missed, w.sendDelay()));
        Scenario.Size size = s.size();
        return new Scenario(
                s.seed(),
                s.level(),
                s.workload(),
                new Scenario.Size(size.machines(), size.sessions(), Math.max(size.transactions(), 5), size.keys()),
                shape,
                faults,
                new Wardens(random.nextInt(3) == 0 ? 1 : 2, millis((int) deadAfter.toMillis() / 3, (int)
                        deadAfter.toMillis())),
                s.cuts());
    }

    /**
     * In some seeds all clients read new versions at once. Where reads lag, pages split all the time; otherwise all
     * records share one page, whose log records arrive late and out of order.
     */
    private Scenario crowded(Scenario s) {
        boolean splits = s.faults().isEventual();
        if (random.nextInt(splits ? 2 : 4) > 0 || !splits && !s.workload().hasFewKeys()) {
            return s;
        }
        Scenario.Size size = s.size();
        Duration ttl = millis(50, 1_000);
        Duration interval = millis(100, 2_000);
        World w = s.faults().world();
        Duration delay = splits ? w.sendDelay() : millis(500, 4_000);
        return new Scenario(
                s.seed(),
                s.level(),
                s.workload(),
                new Scenario.Size(
                        Math.max(size.machines(), 2),
                        size.sessions(),
                        Math.max(size.transactions(), splits ? 5 : 10),
                        splits ? Math.max(size.keys(), 16) : 2),
                s.shape()
                        .withCrowd(splits ? 512 : 1 << 12, ttl, interval)
                        .withLayout(splits ? s.shape().layout() : Layout.partitioned(1)),
                s.faults()
                        .withWorld(new World(
                                w.unavailable(),
                                w.lostAnswer(),
                                w.slow(),
                                w.staleFor(),
                                w.duplicate(),
                                w.missed(),
                                delay)),
                s.wardens(),
                s.cuts());
    }

    private Scenario.Size size() {
        return new Scenario.Size(
                1 + random.nextInt(3), random.nextInt(4) == 0 ? 2 : 1, 2 + random.nextInt(7), 2 + random.nextInt(30));
    }

    private Shape shape(Workload workload, boolean eventual) {
        boolean splits = workload == Workload.SPLIT || random.nextInt(4) == 0;
        boolean small = random.nextInt(workload == Workload.LARGE ? 2 : 6) == 0;
        Profile latencies = eventual && random.nextBoolean() ? Profile.PAPER_2008 : Profile.AWS_2026;
        return new Shape(
                small ? limited(latencies) : latencies,
                layout(),
                splits ? 512 : 1 << 12,
                random.nextInt(4) == 0 ? 64 << 10 : 8 << 20,
                millis(50, 20_000),
                millis(500, 60_000),
                millis(300, 10_000),
                millis(50, 3_000),
                millis(5_000, 60_000),
                workload == Workload.INDEX || random.nextInt(4) == 0,
                Compression.NONE);
    }

    private static Profile limited(Profile profile) {
        if (profile.limits().equals(SMALL_MESSAGES)) {
            return profile;
        }
        return new Profile(
                profile.name() + "-small-messages",
                profile.get(),
                profile.put(),
                profile.remove(),
                profile.list(),
                profile.send(),
                profile.receive(),
                profile.acknowledge(),
                profile.manage(),
                profile.prices(),
                SMALL_MESSAGES);
    }

    private Layout layout() {
        return switch (random.nextInt(4)) {
            case 0 -> Layout.partitioned(random.nextInt(2, 5));
            case 1 -> Layout.perLeaf();
            default -> Layout.partitioned(1);
        };
    }

    private Faults faults() {
        return new Faults(
                world(),
                rarely(0.3),
                random.nextBoolean() ? 0 : 0.2 + 0.8 * random.nextDouble(),
                random.nextInt(4) == 0 ? 0 : 1,
                rarely(1),
                rarely(1),
                random.nextInt(3) == 0 ? millis(10, (int) Shape.CLOCK_SKEW_MAX.toMillis() / 3) : Duration.ZERO,
                rarely(1),
                idle(),
                0);
    }

    private World world() {
        boolean eventual = random.nextInt(5) == 0;
        return new World(
                maybe(0.05),
                maybe(0.05),
                maybe(0.1),
                eventual ? millis(100, 3_000) : Duration.ZERO,
                maybe(0.2),
                maybe(0.7),
                random.nextBoolean() ? Duration.ZERO : millis(1, 3_000));
    }

    /** Long enough to outlive heartbeats; a day; or what a queue keeps. */
    private Duration idle() {
        return switch (random.nextInt(16)) {
            case 0 -> Duration.ofMinutes(2);
            case 1 -> Duration.ofHours(25);
            case 2 -> Duration.ofDays(15);
            default -> Duration.ZERO;
        };
    }

    private double maybe(double most) {
        return random.nextInt(3) > 0 ? 0 : random.nextDouble() * most;
    }

    private double rarely(double most) {
        return random.nextInt(4) > 0 ? 0 : random.nextDouble() * most;
    }

    /** Small figures are as likely as large ones: the logarithm is drawn evenly. */
    private Duration millis(int min, int max) {
        double log = StrictMath.log(min) + random.nextDouble() * (StrictMath.log(max) - StrictMath.log(min));
        return Duration.ofMillis((long) StrictMath.exp(log));
    }
}
