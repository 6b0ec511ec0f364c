package io.penstock.core.queue.table;

import io.penstock.core.queue.Receipt;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** A decoded receipt: a message and one of its deliveries. */
public record Handle(long number, long token) {
    private static final int LENGTH = 32;

    Receipt receipt() {
        return new Receipt(HexFormat.of().toHexDigits(number) + HexFormat.of().toHexDigits(token));
    }

    /** The receipt decoded; null when it is foreign. */
    public static @Nullable Handle parse(Receipt receipt) {
        String handle = receipt.handle();
        if (handle.length() != LENGTH || !handle.chars().allMatch(HexFormat::isHexDigit)) {
            return null;
        }
        return new Handle(
                HexFormat.fromHexDigitsToLong(handle, 0, LENGTH / 2),
                HexFormat.fromHexDigitsToLong(handle, LENGTH / 2, LENGTH));
    }
}
