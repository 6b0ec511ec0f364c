package io.penstock.commit.simulation;

import java.time.Duration;

/**
 * The faults that a year in production adds to those of a bad hour. Probabilities are per life of a machine.
 *
 * @param leisurely whether clients have the settings that a user gets, and live, rest and stay away for seconds to days
 * @param interrupts the probability that the threads of a machine's users are interrupted
 * @param foreign the probability that, for a while, each call of a machine ends with an exception or an error that is
 *     not the store's
 * @param losses the share of the messages in queues that vanish now and then, or are of a newer program
 * @param steps the longest step of a machine's clock, there or back; zero: none
 * @param refusals the probability that, for minutes, a queue refuses what a machine sends
 * @param fleet whether many clients live for a few transactions each, and die or close together
 */
record LongRunFaults(
        boolean leisurely,
        double interrupts,
        double foreign,
        double losses,
        Duration steps,
        boolean fleet,
        double refusals) {
    static final LongRunFaults NONE = new LongRunFaults(false, 0, 0, 0, Duration.ZERO, false, 0);

    LongRunFaults withLeisurely(boolean next) {
        return new LongRunFaults(next, interrupts, foreign, losses, steps, fleet, refusals);
    }

    LongRunFaults withInterrupts(double next) {
        return new LongRunFaults(leisurely, next, foreign, losses, steps, fleet, refusals);
    }

    LongRunFaults withForeign(double next) {
        return new LongRunFaults(leisurely, interrupts, next, losses, steps, fleet, refusals);
    }

    LongRunFaults withLosses(double next) {
        return new LongRunFaults(leisurely, interrupts, foreign, next, steps, fleet, refusals);
    }

    LongRunFaults withSteps(Duration next) {
        return new LongRunFaults(leisurely, interrupts, foreign, losses, next, fleet, refusals);
    }

    LongRunFaults withRefusals(double next) {
        return new LongRunFaults(leisurely, interrupts, foreign, losses, steps, fleet, next);
    }

    LongRunFaults withFleet(boolean next) {
        return new LongRunFaults(leisurely, interrupts, foreign, losses, steps, next, refusals);
    }
}
