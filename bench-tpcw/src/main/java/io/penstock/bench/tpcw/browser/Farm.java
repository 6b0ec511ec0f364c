package io.penstock.bench.tpcw.browser;

import io.penstock.bench.program.Progress;
import io.penstock.bench.tpcw.figures.Usage;
import io.penstock.core.task.Tasks;
import java.time.Duration;

/** The web servers of a run and the browsers that ask them. For one thread. */
interface Farm extends AutoCloseable {
    /** What the servers of the store bill for the measurement interval. */
    record Bill(Usage transaction, Usage checkpoint) {
        Bill plus(Bill other) {
            return new Bill(transaction.plus(other.transaction), checkpoint.plus(other.checkpoint));
        }

        Bill minus(Bill other) {
            return new Bill(transaction.minus(other.transaction), checkpoint.minus(other.checkpoint));
        }
    }

    /**
     * Lets the browsers browse from now until the end of the measurement interval.
     *
     * @param interval by the clock of the driver
     */
    Bill browse(Interval interval, Progress progress);

    /** Closes the stores. */
    @Override
    void close();

    /** The measurement interval. */
    record Interval(long fromNanos, long toNanos) {
        private static final Duration TICK = Duration.ofSeconds(1);

        /** Waits for a moment, with a step of progress each second. */
        static void await(Tasks clock, long nanos, Progress progress) {
            for (long left = nanos - clock.nanoTime(); left > 0; left = nanos - clock.nanoTime()) {
                clock.sleep(Duration.ofNanos(Math.min(left, TICK.toNanos())));
                progress.advance(1);
            }
        }
    }
}
