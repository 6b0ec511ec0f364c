package io.penstock.commit.simulation;

import io.penstock.core.UnavailableException;
import io.penstock.testkit.CallWatcher;
import io.penstock.testkit.SimulatedClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A plan of faults that strike each machine at one of its calls, before it or after its effect. The plan is drawn
 * beforehand.
 */
final class MachineFaults implements CallWatcher {
    /** Lives of machines take a few hundred calls; the logarithm of a strike's call is drawn evenly. */
    private static final double CALLS_MAX = 500;

    /** By then a machine has begun to work. */
    private static final int RELAPSE_CALLS_MIN = 12;

    /** A machine crashes at most so many calls after it woke from a freeze that others took for its death. */
    private static final int RELAPSE_CALLS_MAX = 60;

    /** The share of lives at leisure in which a machine sleeps for a while, as a laptop does. */
    private static final double SLEEPERS = 0.4;

    private static final int SLEEP_MILLIS_MAX = 12 * 3_600_000;
    private static final int REFUSAL_MILLIS_MAX = 1_800_000;

    /** The most times that a machine's threads are interrupted, or its clock steps. */
    private static final int REPEATS_MAX = 4;

    private final Faults faults;
    private final LongRunFaults perils;
    private final Duration deadAfter;
    private final CallLog story;
    private final Map<String, Plan> plans = new HashMap<>();
    private final Set<String> struck = new HashSet<>();
    private long awakeNanos;

    private enum Kind {
        CRASH,
        FREEZE,
        CUT_OFF,
        JUMP,
        STEP,
        INTERRUPT,
        FOREIGN,
        SLEEP,
        REFUSE
    }

    /** @param call the number of the machine's call, 1 for its first */
    private record Strike(int call, Step step, Kind kind, Duration length) {}

    private static final class Plan {
        final List<Strike> strikes = new ArrayList<>();
        int calls;
        /** Until then each call ends with something that is no exception of the store. */
        long foreignUntilNanos = Long.MIN_VALUE;
        /** Until then a queue refuses what the machine sends. */
        long refusesUntilNanos = Long.MIN_VALUE;

        boolean isOver(long nowNanos) {
            return strikes.isEmpty() && nowNanos >= foreignUntilNanos && nowNanos >= refusesUntilNanos;
        }
    }

    MachineFaults(Scenario scenario, CallLog story) {
        this.faults = scenario.faults();
        this.perils = scenario.perils();
        this.deadAfter = scenario.shape().deadAfter();
        this.story = story;
    }

    /** Sets the clock of a new machine, and plans what will strike it. */
    void plan(SimulatedClient machine, SplittableRandom random) {
        Plan plan = new Plan();
        Duration offset = drawn(random, faults.skew().multipliedBy(2)).minus(faults.skew());
        machine.skewClock(offset);
        // Each by the same draws whatever the faults are, so that leaving out one leaves the others alone.
        add(plan, faults.crashes(), Kind.CRASH, random.split());
        add(plan, faults.freezes(), Kind.FREEZE, random.split());
        add(plan, faults.cutOffs(), Kind.CUT_OFF, random.split());
        add(plan, faults.skew().isZero() ? 0 : faults.jumps(), Kind.JUMP, random.split());
        addRelapse(plan, random.split());
        SplittableRandom steps = random.split();
        addSome(plan, perils.steps().isZero() ? 0 : 1, Kind.STEP, steps);
        addSome(plan, perils.interrupts(), Kind.INTERRUPT, random.split());
        add(plan, perils.foreign(), Kind.FOREIGN, random.split());
        add(plan, perils.leisurely() ? SLEEPERS : 0, Kind.SLEEP, random.split());
        add(plan, perils.refusals(), Kind.REFUSE, random.split());
        plan.strikes.sort(Comparator.comparingInt(Strike::call));
        if (!plan.strikes.isEmpty()) {
            plans.put(machine.name(), plan);
        }
    }

    private void addSome(Plan plan, double probability, Kind kind, SplittableRandom random) {
        for (int i = 1 + random.nextInt(REPEATS_MAX); i > 0; i--) {
            add(plan, probability, kind, random.split());
        }
    }

    private void add(Plan plan, double probability, Kind kind, SplittableRandom random) {
        double chance = random.nextDouble();
        int call = (int) StrictMath.exp(random.nextDouble() * StrictMath.log(CALLS_MAX));
        Step step = random.nextBoolean() ? Step.BEGINS : Step.DONE;
        Duration length = switch (kind) {
            case CRASH -> Duration.ZERO;
            case FREEZE -> ofMillis(random, 100, 120_000);
            case CUT_OFF -> ofMillis(random, 100, 90_000);
            case JUMP -> drawn(random, faults.skew().multipliedBy(2)).minus(faults.skew());
            case STEP -> step(random);
            case INTERRUPT -> ofMillis(random, 1, 2_000);
            case FOREIGN -> ofMillis(random, 1, 60_000);
            case SLEEP -> ofMillis(random, 60_000, SLEEP_MILLIS_MAX);
            case REFUSE -> ofMillis(random, 60_000, REFUSAL_MILLIS_MAX);
        };
        if (chance < probability) {
            plan.strikes.add(new Strike(call, step, kind, length));
        }
    }

    private void addRelapse(Plan plan, SplittableRandom random) {
        double chance = random.nextDouble();
        int call = RELAPSE_CALLS_MIN + (int) StrictMath.exp(random.nextDouble() * StrictMath.log(CALLS_MAX / 2));
        int after = 1 + (int) StrictMath.exp(random.nextDouble() * StrictMath.log(RELAPSE_CALLS_MAX));
        Duration length = deadAfter.plus(deadAfter.dividedBy(2)).plus(drawn(random, deadAfter.multipliedBy(2)));
        if (chance < faults.relapses()) {
            plan.strikes.add(new Strike(call, Step.BEGINS, Kind.FREEZE, length));
            plan.strikes.add(new Strike(call + after, Step.DONE, Kind.CRASH, Duration.ZERO));
        }
    }

    /** There or back, or as it was. */
    private Duration step(SplittableRandom random) {
        double log = random.nextDouble()
                * StrictMath.log(Math.max(1_000, perils.steps().toMillis()));
        return Duration.ofMillis((long) StrictMath.exp(log)).multipliedBy(random.nextInt(3) - 1);
    }

    private static Duration drawn(SplittableRandom random, Duration bound) {
        long drawn = random.nextLong(1_000_001);
        return Duration.ofMillis(bound.toMillis() * drawn / 1_000_000);
    }

    private static Duration ofMillis(SplittableRandom random, int min, int max) {
        double log = StrictMath.log(min) + random.nextDouble() * (StrictMath.log(max) - StrictMath.log(min));
        return Duration.ofMillis((long) StrictMath.exp(log));
    }

    @Override
    public void see(Step step, SimulatedClient client, String call, String on, @Nullable Object outcome) {
        Plan plan = plans.get(client.name());
        if (plan == null) {
            return;
        }
        plan.calls += step == Step.BEGINS ? 1 : 0;
        while (!plan.strikes.isEmpty() && isDue(plan.strikes.getFirst(), plan.calls, step)) {
            strike(plan, plan.strikes.removeFirst(), client);
        }
        if (client.nanoTime() < plan.foreignUntilNanos) {
            throwForeign(plan, client);
        }
        if (step == Step.BEGINS && client.nanoTime() < plan.refusesUntilNanos && isRefused(call, on)) {
            throw new UnavailableException("simulated: access denied", "queue", on);
        }
        if (plan.isOver(client.nanoTime())) {
            plans.remove(client.name());
        }
    }

    /** Of several queues of a transaction only some refuse. */
    private static boolean isRefused(String call, String on) {
        return call.equals("send") && on.startsWith("penstock-pu-") && on.hashCode() % 2 == 0;
    }

    private void throwForeign(Plan plan, SimulatedClient client) {
        story.say(client, "    ... ends with something foreign");
        if (plan.calls % 2 == 0) {
            throw new ForeignError();
        }
        throw new ForeignException();
    }

    /** The time by which all machines are awake. */
    long awakeNanos() {
        return awakeNanos;
    }

    /** Nothing strikes any more. */
    void end() {
        plans.clear();
    }

    private static boolean isDue(Strike strike, int calls, Step step) {
        return calls > strike.call || calls == strike.call && step == strike.step;
    }

    /** Whether anything has struck the machine of that name. */
    boolean hasStruck(String machine) {
        return struck.contains(machine);
    }

    private void strike(Plan plan, Strike strike, SimulatedClient client) {
        struck.add(client.name());
        story.say(client, "*** " + strike.kind + " " + strike.length + " at call " + strike.call);
        switch (strike.kind) {
            case CRASH -> client.crash();
            case FREEZE, SLEEP -> {
                client.freeze(strike.length);
                awakeNanos = Math.max(awakeNanos, client.nanoTime() + strike.length.toNanos());
            }
            case REFUSE -> plan.refusesUntilNanos = client.nanoTime() + strike.length.toNanos();
            case CUT_OFF -> client.cutOff(strike.length);
            case JUMP, STEP -> client.skewClock(strike.length);
            case INTERRUPT ->
                client.start("interrupt", () -> {
                    client.sleep(strike.length);
                    client.interrupt();
                });
            case FOREIGN -> plan.foreignUntilNanos = client.nanoTime() + strike.length.toNanos();
        }
    }
}
