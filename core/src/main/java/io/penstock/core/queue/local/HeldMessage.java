package io.penstock.core.queue.local;

import io.penstock.core.queue.Receipt;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * What is in memory of a message: all but its body. Guarded by the lock of its {@link QueueState}. The state of
 * delivery is nowhere else: after a restart every message is visible and was never received, as the SPI allows.
 */
final class HeldMessage {
    final long number;
    final long id;
    final long sentMillis;

    int receiveCount;
    /** The token of the newest delivery; meaningless before the first. */
    long token;
    /** When it shows again, nanoseconds of the queue's clock, if it is {@link #hidden}. */
    long visibleAtNanos;

    boolean hidden;

    HeldMessage(long number, long id, long sentMillis) {
        this.number = number;
        this.id = id;
        this.sentMillis = sentMillis;
    }

    String messageId() {
        return HexFormat.of().toHexDigits(id);
    }

    Receipt receipt() {
        return new Receipt(HexFormat.of().toHexDigits(number) + HexFormat.of().toHexDigits(token));
    }

    boolean isNewest(Handle handle) {
        return receiveCount > 0 && handle.token == token;
    }

    /** A receipt read back. */
    record Handle(long number, long token) {
        private static final int LENGTH = 32;

        /** Null when the receipt is none of ours. */
        static @Nullable Handle parse(Receipt receipt) {
            String handle = receipt.handle();
            if (handle.length() != LENGTH || !handle.chars().allMatch(HexFormat::isHexDigit)) {
                return null;
            }
            return new Handle(
                    HexFormat.fromHexDigitsToLong(handle, 0, LENGTH / 2),
                    HexFormat.fromHexDigitsToLong(handle, LENGTH / 2, LENGTH));
        }
    }
}
