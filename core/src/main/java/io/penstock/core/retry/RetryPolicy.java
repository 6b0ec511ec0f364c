package io.penstock.core.retry;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The bounds of repeated attempts. The delay before the n-th retry is drawn evenly from 0 to {@code baseDelay} doubled
 * n - 1 times, at most {@code delayMax}, so that clients that failed together do not return together.
 *
 * @param attemptsMax attempts in all, the first included
 * @param baseDelay bound of the first delay
 * @param delayMax bound of every delay
 * @param budget no retry begins later than this after the call began
 */
public record RetryPolicy(int attemptsMax, Duration baseDelay, Duration delayMax, Duration budget) {
    /** Outlasts the minute of throttling in which S3 splits a busy prefix. */
    public static final RetryPolicy STANDARD =
            new RetryPolicy(10, Duration.ofMillis(50), Duration.ofSeconds(10), Duration.ofSeconds(60));

    /** One attempt. */
    public static final RetryPolicy NONE = new RetryPolicy(1, Duration.ZERO, Duration.ZERO, Duration.ZERO);

    public RetryPolicy {
        if (attemptsMax < 1 || baseDelay.isNegative() || delayMax.compareTo(baseDelay) < 0 || budget.isNegative()) {
            throw new IllegalArgumentException("retry policy out of range: " + attemptsMax + " attempts, delays "
                    + baseDelay + " to " + delayMax + ", budget " + budget);
        }
    }

    /** Returns a policy of these attempts within another budget. */
    public RetryPolicy within(Duration value) {
        return new RetryPolicy(attemptsMax, baseDelay, delayMax, value);
    }

    /** Draws the delay before retry {@code number}, 1 for the first. */
    Duration delay(int number, RandomGenerator random) {
        // 2^30 base delays are beyond any sensible bound, and do not overflow for bases up to 8 s.
        long boundNanos = Math.min(delayMax.toNanos(), baseDelay.toNanos() << Math.min(number - 1, 30));
        return boundNanos <= 0 ? Duration.ZERO : Duration.ofNanos(random.nextLong(boundNanos + 1));
    }
}
