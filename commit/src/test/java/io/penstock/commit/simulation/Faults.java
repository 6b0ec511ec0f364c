package io.penstock.commit.simulation;

import io.penstock.core.sim.World;
import java.time.Duration;

/**
 * What goes wrong in one run. A machine's troubles strike at one of its calls, drawn by number; probabilities of them
 * are per life of a machine.
 *
 * @param world what the servers do all the time
 * @param bursts how much of the time the servers throttle half of all calls, in bursts of seconds
 * @param crashes that a machine crashes
 * @param returns that the user of a crashed machine goes on, on another one
 * @param freezes that nothing of a machine runs for a while: up to minutes, leases and heartbeats notwithstanding
 * @param cutOffs that a machine reaches no server for a while
 * @param skew how far a machine's clock is off the servers', at most
 * @param jumps that a machine's clock jumps, within {@code skew}
 * @param idle how long everything rests in the middle of the run
 * @param relapses that a machine freezes until others take it for dead, goes on, and crashes soon after
 */
public record Faults(
        World world,
        double bursts,
        double crashes,
        double returns,
        double freezes,
        double cutOffs,
        Duration skew,
        double jumps,
        Duration idle,
        double relapses) {
    static final Faults NONE = new Faults(World.CALM, 0, 0, 0, 0, 0, Duration.ZERO, 0, Duration.ZERO, 0);

    /** Whether reads may be old, as in 2008. */
    public boolean isEventual() {
        return !world.staleFor().isZero();
    }

    Faults withWorld(World next) {
        return new Faults(next, bursts, crashes, returns, freezes, cutOffs, skew, jumps, idle, relapses);
    }

    Faults withBursts(double next) {
        return new Faults(world, next, crashes, returns, freezes, cutOffs, skew, jumps, idle, relapses);
    }

    Faults withCrashes(double next) {
        return new Faults(world, bursts, next, returns, freezes, cutOffs, skew, jumps, idle, relapses);
    }

    Faults withReturns(double next) {
        return new Faults(world, bursts, crashes, next, freezes, cutOffs, skew, jumps, idle, relapses);
    }

    Faults withFreezes(double next) {
        return new Faults(world, bursts, crashes, returns, next, cutOffs, skew, jumps, idle, relapses);
    }

    Faults withCutOffs(double next) {
        return new Faults(world, bursts, crashes, returns, freezes, next, skew, jumps, idle, relapses);
    }

    Faults withSkew(Duration next) {
        return new Faults(world, bursts, crashes, returns, freezes, cutOffs, next, jumps, idle, relapses);
    }

    Faults withJumps(double next) {
        return new Faults(world, bursts, crashes, returns, freezes, cutOffs, skew, next, idle, relapses);
    }

    Faults withIdle(Duration next) {
        return new Faults(world, bursts, crashes, returns, freezes, cutOffs, skew, jumps, next, relapses);
    }

    Faults withRelapses(double next) {
        return new Faults(world, bursts, crashes, returns, freezes, cutOffs, skew, jumps, idle, next);
    }
}
