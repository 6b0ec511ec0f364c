package io.penstock.bench.tpcw.run;

import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * One thing that an operator can turn.
 *
 * @param what it does to whom
 * @param option of {@code scripts/tpcw run} that does it
 */
public record Turn(String what, String option, UnaryOperator<RunPlan> change) {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** The turns that are tried. */
    public static final List<Turn> ALL = List.of(
            new Turn(
                    "checkpoint once a minute: others see changes later",
                    "--checkpoint-interval 60",
                    plan -> tuned(plan, plan.tuning().ttl(), MINUTE)),
            new Turn(
                    "trust pooled pages for a minute: reads may be older",
                    "--ttl 60",
                    plan -> tuned(plan, MINUTE, plan.tuning().checkpointInterval())),
            new Turn("one web server instead of several: one pool, one writer", "--servers 1", Turn::oneServer));

    private static RunPlan tuned(RunPlan plan, Duration ttl, Duration checkpointInterval) {
        Tuning old = plan.tuning();
        Tuning tuning = new Tuning(old.pageBytes(), old.poolBytes(), ttl, checkpointInterval);
        return new RunPlan(plan.cloud(), plan.prices(), plan.layout(), plan.level(), plan.load(), tuning, plan.seed());
    }

    private static RunPlan oneServer(RunPlan plan) {
        RunPlan.Browsing old = plan.browsing();
        RunPlan.Browsing load = new RunPlan.Browsing(
                old.mix(), old.browsers(), 1, old.rampUp(), old.measured(), old.scale(), old.zipf(), null);
        return new RunPlan(plan.cloud(), plan.prices(), plan.layout(), plan.level(), load, plan.tuning(), plan.seed());
    }
}
