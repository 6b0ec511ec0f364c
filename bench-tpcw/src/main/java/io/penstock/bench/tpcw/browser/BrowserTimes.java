package io.penstock.bench.tpcw.browser;

import io.penstock.bench.tpcw.bookstore.Draws;
import java.time.Duration;

/** The times that a browser draws: negative exponential, cut. */
final class BrowserTimes {
    private static final double THINK_SECONDS_MEAN = 7;
    private static final double THINK_SECONDS_MAX = 70;
    private static final double SESSION_SECONDS_MEAN = 15 * 60;
    private static final double SESSION_SECONDS_MAX = 60 * 60;
    private static final double NANOS_PER_SECOND = 1e9;

    private BrowserTimes() {}

    /** Draws the time between an answer and the next request. */
    static Duration think(Draws draws) {
        return exponential(draws, THINK_SECONDS_MEAN, THINK_SECONDS_MAX);
    }

    /** The least length of a user session: it ends with the next transition to Home. */
    static Duration session(Draws draws) {
        return exponential(draws, SESSION_SECONDS_MEAN, SESSION_SECONDS_MAX);
    }

    private static Duration exponential(Draws draws, double mean, double max) {
        double seconds = Math.min(max, -mean * StrictMath.log(draws.unit()));
        return Duration.ofNanos((long) (seconds * NANOS_PER_SECOND));
    }
}
