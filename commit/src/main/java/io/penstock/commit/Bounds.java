package io.penstock.commit;

import io.penstock.core.InvalidRequestException;
import java.time.Duration;

/** Refuses values of settings that are out of their range. */
final class Bounds {
    private Bounds() {}

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
