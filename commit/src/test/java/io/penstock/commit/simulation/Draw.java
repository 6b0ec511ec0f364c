package io.penstock.commit.simulation;

import io.penstock.ConsistencyLevel;
import io.penstock.Layout;
import io.penstock.core.Compression;
import io.penstock.core.queue.QueueLimits;
import io.penstock.testkit.Profile;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.Arrays;
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

    /** Levels with isolation have seeds of their own, far beyond those of the others. */
    static final long ISOLATED_FROM = 1_000_000_000;

    /** So have stores without queues, at the same levels. */
    static final long BUCKET_ALONE_FROM = 2_000_000_000;

    static final List<ConsistencyLevel> ISOLATED = Arrays.stream(ConsistencyLevel.values())
            .filter(level -> level.compareTo(ConsistencyLevel.ATOMIC) > 0)
            .toList();

    /** Messages so small that few records fill one, and few of them a batch. */
    private static final QueueLimits SMALL_MESSAGES = new QueueLimits(3, 2 << 10, 1 << 10);

    /** Longer than anything that the store keeps for later. */
    private static final Duration STEP_MAX = Duration.ofDays(60);

    private final SplittableRandom random;

    /** Whether the seed draws the cloud of 2008, in one of five: its latencies, and pages that split all the time. */
    private boolean dated;

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
        Draw perils = new Draw(all.split());
        Draw mixing = new Draw(all.split());
        Workload[] workloads = Workload.values();
        Workload chosen = workload != null
                ? workload
                : workloads[(int) Math.floorMod(seed / LEVELS.size(), (long) workloads.length)];
        ConsistencyLevel promised = level != null ? level : level(seed);
        Faults drawn = faults.faults();
        boolean dated = faults.dated && promised.compareTo(ConsistencyLevel.ATOMIC) <= 0;
        shape.dated = dated;
        crowd.dated = dated;
        perils.dated = dated;
        Scenario plain = new Scenario(
                seed,
                promised,
                chosen,
                size.size(),
                shape.shape(chosen),
                drawn,
                AdminClients.NONE,
                LongRunFaults.NONE,
                List.of());
        return mixing.mixed(perils.endangered(crowd.crowded(wardens.watched(plain))));
    }

    private static ConsistencyLevel level(long seed) {
        List<ConsistencyLevel> levels = seed < ISOLATED_FROM ? LEVELS : ISOLATED;
        return levels.get((int) Math.floorMod(seed, (long) levels.size()));
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
        AdminClients wardens = new AdminClients(
                random.nextInt(3) == 0 ? 1 : 2, millis((int) deadAfter.toMillis() / 3, (int) deadAfter.toMillis()));
        return s.with(new Scenario.Size(
                        size.machines(), size.sessions(), Math.max(size.transactions(), 5), size.keys()))
                .with(shape)
                .with(faults)
                .with(wardens);
    }

    /**
     * In some seeds all clients read new versions at once. In dated ones pages split all the time; in others all
     * records share one page, whose log records arrive late and out of order.
     */
    private Scenario crowded(Scenario s) {
        boolean splits = dated;
        if (random.nextInt(splits ? 2 : 4) > 0 || !splits && !s.workload().hasFewKeys()) {
            return s;
        }
        Scenario.Size size = s.size();
        Duration ttl = millis(50, 1_000);
        Duration interval = millis(100, 2_000);
        World w = s.faults().world();
        Duration delay = splits ? w.sendDelay() : millis(500, 4_000);
        return s.with(new Scenario.Size(
                        Math.max(size.machines(), 2),
                        size.sessions(),
                        Math.max(size.transactions(), splits ? 5 : 10),
                        splits ? Math.max(size.keys(), 16) : 2))
                .with(s.shape()
                        .withCrowd(splits ? 512 : 1 << 12, ttl, interval)
                        .withLayout(splits ? s.shape().layout() : Layout.partitioned(1)))
                .with(s.faults()
                        .withWorld(new World(
                                w.unavailable(),
                                w.lostAnswer(),
                                w.slow(),
                                w.staleFor(),
                                w.duplicate(),
                                w.missed(),
                                delay)));
    }

    /**
     * Where sessions mix levels, what they commit at ATOMIC waits long to be forwarded, and others look often; in half
     * of these seeds nothing else happens, so that others may expect to see a session's writes in their order.
     */
    private Scenario mixed(Scenario s) {
        if (!s.mixesLevels() || s.perils().leisurely()) {
            return s;
        }
        Scenario.Size size = s.size();
        boolean onOnePage = s.workload().hasFewKeys();
        Shape shape = s.shape()
                .withDeaths(s.shape().deadAfter(), millis(1_000, 30_000))
                .withCrowd(onOnePage ? 1 << 12 : s.shape().pageBytes(), millis(50, 1_000), millis(100, 2_000));
        Scenario mixed = s.with(onOnePage ? shape.withLayout(Layout.partitioned(1)) : shape)
                .with(new Scenario.Size(
                        Math.max(size.machines(), 2), size.sessions(), Math.max(size.transactions(), 8), size.keys()));
        return random.nextBoolean()
                ? mixed
                : mixed.with(Faults.NONE).with(AdminClients.NONE).with(LongRunFaults.NONE);
    }

    /** In some seeds there are perils of a year. Each is drawn from a stream of its own. */
    private Scenario endangered(Scenario plain) {
        Draw interrupts = new Draw(random.split());
        Draw foreign = new Draw(random.split());
        Draw steps = new Draw(random.split());
        Draw losses = new Draw(random.split());
        Draw leisure = new Draw(random.split());
        Draw fleet = new Draw(random.split());
        LongRunFaults single = LongRunFaults.NONE
                .withInterrupts(interrupts.seldom(4))
                .withForeign(foreign.seldom(6))
                .withSteps(steps.random.nextInt(8) > 0 ? Duration.ZERO : steps.step());
        // Interrupts tell most where threads wait for each other's calls.
        boolean crowded = single.interrupts() > 0 && interrupts.random.nextBoolean();
        Scenario.Size size = plain.size();
        Scenario strange = plain.with(single)
                .with(crowded ? new Scenario.Size(size.machines(), 3, size.transactions(), size.keys()) : size);
        return fleet.inFleet(leisure.leisurely(losses.losing(strange)));
    }

    /** A probability in one of so many seeds, else 0. */
    private double seldom(int seeds) {
        return random.nextInt(seeds) > 0 ? 0 : 0.2 + 0.8 * random.nextDouble();
    }

    /** From a second to two months. */
    private Duration step() {
        double log = random.nextDouble() * StrictMath.log(STEP_MAX.toSeconds());
        return Duration.ofSeconds((long) StrictMath.exp(log));
    }

    /**
     * Messages vanish only where each transaction is in one message at most, so that it is lost whole or not at all.
     */
    private Scenario losing(Scenario s) {
        double share = seldom(5);
        boolean inOneMessage = s.workload().collections().size() == 1 && s.workload() != Workload.LARGE;
        if (share == 0 || !inOneMessage || dated || s.workload() == Workload.INDEX) {
            return s;
        }
        Shape shape =
                s.shape().withIndexed(false).withLayout(Layout.partitioned(1)).withProfile(Profile.AWS_2026);
        return s.with(shape).with(s.perils().withLosses(share));
    }

    /** The settings that a user gets, for days: whatever works by the second would make the run long. */
    private Scenario leisurely(Scenario s) {
        if (random.nextInt(12) > 0 || dated) {
            return s;
        }
        double crashes = random.nextInt(4) == 0 ? 0 : 0.3 + 0.7 * random.nextDouble();
        Faults faults = s.faults()
                .withBursts(0)
                .withIdle(Duration.ZERO)
                .withCrashes(crashes)
                .withReturns(0.9);
        return s.with(s.shape().withDefaults())
                .with(faults)
                .with(AdminClients.NONE)
                .with(s.perils().withLeisurely(true).withRefusals(seldom(3)));
    }

    private static Scenario calm(Scenario fleet) {
        return fleet.with(Faults.NONE)
                .with(AdminClients.NONE)
                .with(fleet.shape().withProfile(Profile.AWS_2026))
                .with(LongRunFaults.NONE.withFleet(true));
    }

    /** Many that work little; in half of these seeds nothing else happens, and all must close in time. */
    private Scenario inFleet(Scenario s) {
        if (random.nextInt(48) > 0 || s.perils().leisurely()) {
            return s;
        }
        Scenario.Size size = new Scenario.Size(
                10 + random.nextInt(30), 1, 1 + random.nextInt(2), s.size().keys());
        Scenario fleet = s.with(size).with(s.perils().withFleet(true));
        return random.nextBoolean() ? fleet : calm(fleet);
    }

    private Scenario.Size size() {
        return new Scenario.Size(
                1 + random.nextInt(3), random.nextInt(4) == 0 ? 2 : 1, 2 + random.nextInt(7), 2 + random.nextInt(30));
    }

    private Shape shape(Workload workload) {
        boolean splits = workload == Workload.SPLIT || random.nextInt(4) == 0;
        boolean small = random.nextInt(workload == Workload.LARGE ? 2 : 6) == 0;
        Profile latencies = dated && random.nextBoolean() ? Profile.PAPER_2008 : Profile.AWS_2026;
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
        return new Profile(profile.name() + "-small-messages", profile.latencies(), profile.prices(), SMALL_MESSAGES);
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
        dated = random.nextInt(5) == 0;
        return new World(
                maybe(0.05),
                maybe(0.05),
                maybe(0.1),
                strongReads(),
                maybe(0.2),
                maybe(0.7),
                random.nextBoolean() ? Duration.ZERO : millis(1, 3_000));
    }

    /** Reads never lag. What was drawn for that is drawn still, so that seeds show what they showed. */
    private Duration strongReads() {
        if (dated) {
            var unused = millis(100, 3_000);
        }
        return Duration.ZERO;
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
