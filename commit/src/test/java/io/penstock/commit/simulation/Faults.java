package io.penstock.commit.simulation;

import io.penstock.testkit.World;
import java.time.Duration;

/**
 * The faults of one run. A machine's faults strike at one of its calls, drawn by number; their probabilities are per
 * life of a machine.
 *
 * @param world the faults of the servers, at all times
 * @param bursts the share of time in which the servers throttle half of all calls, in bursts of seconds
 * @param crashes the probability that a machine crashes
 * @param returns the probability that the user of a crashed machine continues on another one
 * @param freezes the probability that nothing of a machine runs for a while: up to minutes, leases and heartbeats
 *     notwithstanding
 * @param cutOffs the probability that a machine reaches no server for a while
 * @param skew the most by which a machine's clock differs from the servers'
 * @param jumps the probability that a machine's clock jumps, within {@code skew}
 * @param idle the time for which everything rests in the middle of the run
 * @param relapses the probability that a machine freezes until others take it for dead, continues, and crashes soon
 *     after
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
