package io.penstock.commit.settings;

import io.penstock.core.InvalidRequestException;
import java.time.Duration;
import java.util.regex.Pattern;

/** The ranges of settings: each method returns its value, or refuses one that is out of range. */
public final class Bounds {
    private static final Pattern PREFIX = Pattern.compile("[a-z0-9][a-z0-9-]{0,29}");

    private static final Pattern CLIENT_NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,39}");

    private Bounds() {}

    public static String requireClientName(String value) {
        if (!CLIENT_NAME.matcher(value).matches()) {
            throw new InvalidRequestException(
                    "a client name is 1 to 40 of a-z 0-9 - and starts with a letter or digit; choose another",
                    "clientName",
                    value);
        }
        return value;
    }

    public static String requirePrefix(String value) {
        if (!PREFIX.matcher(value).matches()) {
            throw new InvalidRequestException(
                    "a store prefix is 1 to 30 of a-z 0-9 - and starts with a letter or digit; choose another",
                    "prefix",
                    value);
        }
        return value;
    }

    public static Duration requirePositive(String name, Duration value) {
        if (!value.isPositive()) {
            throw new InvalidRequestException("a duration must be positive; choose another", "setting", name);
        }
        return value;
    }

    /** A duration of {@code min} to {@code max}, in whole milliseconds. */
    public static Duration requireRange(String name, Duration value, Duration min, Duration max) {
        requireRange(name, value.toMillis(), min.toMillis(), max.toMillis());
        return value;
    }

    public static int requireRange(String name, int value, int min, int max) {
        return (int) requireRange(name, (long) value, min, max);
    }

    public static long requireRange(String name, long value, long min, long max) {
        if (value < min || value > max) {
            throw new InvalidRequestException(
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
