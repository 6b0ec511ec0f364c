package io.penstock.commit.settings;

import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.memory.WorkMemory;
import io.penstock.core.queue.QueueRules;
import java.time.Duration;
import java.util.regex.Pattern;

/** The ranges of settings: each method returns its value, or refuses one that is out of range. */
public final class Bounds {
    private static final Pattern PREFIX = Pattern.compile("[a-z0-9][a-z0-9-]{0,29}");

    private static final Pattern CLIENT_NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,39}");

    /**
     * The maximum of all durations: longer than any program runs, and short enough to be added to any time without an
     * overflow.
     */
    private static final Duration DURATION_MAX = Duration.ofDays(36_500);

    /** The longest lag that waiting can bridge. */
    private static final Duration STALENESS_MAX = Duration.ofDays(1);

    /** The minimum log retention, on which clients count whatever another client's settings are. */
    private static final Duration LOG_RETENTION_MIN = Duration.ofHours(1);

    /** The maximum age of an unapplied commit: half of the queues' retention. */
    private static final Duration PENDING_AGE_MAX = Duration.ofDays(7);

    /** The largest message, and so the largest single record of a transaction. */
    private static final long TRANSACTION_BYTES_MIN = 1 << 20;

    /** The maximum of working memory, in bytes; no operation has a use for more. */
    private static final long WORK_BYTES_MAX = 512L << 20;

    private Bounds() {}

    public static <T> T requirePresent(String name, T value) {
        if (value == null) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_ARGUMENT, "a value must not be null; give one", "name", name);
        }
        return value;
    }

    public static String requireClientName(String value) {
        requirePresent("clientName", value);
        if (!CLIENT_NAME.matcher(value).matches()) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_SETTING,
                    "a client name is 1 to 40 of a-z 0-9 - and starts with a letter or digit; choose another",
                    "clientName",
                    value);
        }
        return value;
    }

    public static String requirePrefix(String value) {
        requirePresent("prefix", value);
        if (!PREFIX.matcher(value).matches()) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_SETTING,
                    "a store prefix is 1 to 30 of a-z 0-9 - and starts with a letter or digit; choose another",
                    "prefix",
                    value);
        }
        return value;
    }

    /** The next value of a counter. */
    public static long requireSum(String collection, long count, long by) {
        long sum = count + by;
        if (by > 0 ? sum < count : sum > count) {
            throw new InvalidRequestException(
                    "a counter would leave the range of a long; it stays as it is",
                    "collection",
                    collection,
                    "count",
                    count,
                    "by",
                    by);
        }
        return sum;
    }

    /** A positive duration of at most 100 years. */
    public static Duration requirePositive(String name, Duration value) {
        if (!requirePresent(name, value).isPositive()) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_SETTING, "a duration must be positive; choose another", "setting", name);
        }
        return requireAtMost(name, value, DURATION_MAX);
    }

    /** A duration of at most 100 years, or none. */
    public static Duration requireNotNegative(String name, Duration value) {
        return requireRange(name, value, Duration.ZERO, DURATION_MAX);
    }

    /** One client's pool must not hold up what all must have forgotten. */
    public static Duration requireTtl(Duration value) {
        return requireAtMost("ttl", requirePositive("ttl", value), StoreSettings.Limits.TTL_MAX);
    }

    public static Duration requireStaleness(Duration value) {
        return requireRange("staleness", value, Duration.ZERO, STALENESS_MAX);
    }

    public static int requireBlockBytes(int value) {
        return requireRange("blockBytes", value, value == 0 ? 0 : 4 << 10, 16 << 20);
    }

    public static Duration requireLease(Duration value) {
        requirePositive("lease", value);
        return requireRange("lease", value, Duration.ofMillis(1), QueueRules.VISIBILITY_MAX);
    }

    public static Duration requirePendingAge(Duration value) {
        return requireRange("pendingAgeMax", value, Duration.ofMinutes(1), PENDING_AGE_MAX);
    }

    public static Duration requireLogRetention(Duration value) {
        return requireRange("logRetention", value, LOG_RETENTION_MIN, DURATION_MAX);
    }

    public static long requireTransactionBytes(long value) {
        return requireRange("transactionBytesMax", value, TRANSACTION_BYTES_MIN, Long.MAX_VALUE);
    }

    /**
     * The part of a client's memory that neither pages nor sessions take.
     *
     * @param memoryBytes of all together; 0 for two thirds of the heap, as far as that is of use
     */
    public static long requireWorkBytes(long memoryBytes, long poolBytes, long sessionBytes, int pageBytes) {
        long least = WorkMemory.leastBytes(pageBytes) * 2;
        long apart = saturatedSum(poolBytes, sessionBytes);
        if (memoryBytes == 0) {
            long heap = Runtime.getRuntime().maxMemory() / 3 * 2;
            return Math.max(least, Math.min(WORK_BYTES_MAX, heap - apart));
        }
        if (memoryBytes < saturatedSum(apart, least)) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_SETTING,
                    "memoryBytes is too small for poolBytes, sessionBytes and what work needs besides; raise it, or"
                            + " lower the others",
                    "memoryBytes",
                    memoryBytes,
                    "needed",
                    saturatedSum(apart, least));
        }
        return memoryBytes - apart;
    }

    private static long saturatedSum(long a, long b) {
        return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
    }

    /** A duration of {@code min} to {@code max}, in whole milliseconds. */
    public static Duration requireRange(String name, Duration value, Duration min, Duration max) {
        requireAtMost(name, requirePresent(name, value), DURATION_MAX);
        Duration least = DURATION_MAX.negated(); // one below it may have no milliseconds
        requireRange(name, (value.compareTo(least) < 0 ? least : value).toMillis(), min.toMillis(), max.toMillis());
        return value;
    }

    private static Duration requireAtMost(String name, Duration value, Duration max) {
        if (value.compareTo(max) > 0) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_SETTING,
                    "a duration is too long; choose another",
                    "setting",
                    name,
                    "value",
                    value,
                    "max",
                    max);
        }
        return value;
    }

    /** Refuses heartbeats that come so late that others take their client for dead between two of them. */
    public static void requireHeartbeatBefore(Duration heartbeatInterval, Duration deadAfter) {
        if (heartbeatInterval.compareTo(deadAfter) >= 0) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_SETTING,
                    "heartbeatInterval must be shorter than deadAfter, or clients are taken for dead while they live;"
                            + " choose a fifth of it or less",
                    "heartbeatInterval",
                    heartbeatInterval,
                    "deadAfter",
                    deadAfter);
        }
    }

    public static int requireRange(String name, int value, int min, int max) {
        return (int) requireRange(name, (long) value, min, max);
    }

    public static long requireRange(String name, long value, long min, long max) {
        if (value < min || value > max) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_SETTING,
                    "a setting is out of its range; choose another",
                    "setting",
                    name,
                    "value",
                    value,
                    "min",
                    min,
                    "max",
                    max);
        }
        return value;
    }
}
