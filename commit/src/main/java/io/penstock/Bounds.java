package io.penstock;

import io.penstock.core.InvalidRequestException;
import java.time.Duration;
import java.util.regex.Pattern;

/** Refuses values of settings that are out of their range. */
final class Bounds {
    private static final Pattern PREFIX = Pattern.compile("[a-z0-9][a-z0-9-]{0,29}");

    private static final Pattern CLIENT_NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,39}");

    private Bounds() {}

    static String requireClientName(String value) {
        if (!CLIENT_NAME.matcher(value).matches()) {
            throw new InvalidRequestException(
                    "a client name is 1 to 40 of a-z 0-9 - and starts with a letter or digit; choose another",
                    "clientName",
                    value);
        }
        return value;
    }

    static String requirePrefix(String value) {
        if (!PREFIX.matcher(value).matches()) {
            throw new InvalidRequestException(
                    "a store prefix is 1 to 30 of a-z 0-9 - and starts with a letter or digit; choose another",
                    "prefix",
                    value);
        }
        return value;
    }

    static Duration requirePositive(String name, Duration value) {
        if (!value.isPositive()) {
            throw new InvalidRequestException("a duration must be positive; choose another", "setting", name);
        }
        return value;
    }

    static void requireRange(String name, long value, long min, long max) {
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
    }
}
