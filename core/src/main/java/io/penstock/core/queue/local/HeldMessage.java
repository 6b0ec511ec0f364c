package io.penstock.core.queue.local;

import io.penstock.core.queue.Receipt;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The state of a message in memory: everything except its body. Guarded by the lock of its {@link QueueState}.
 * Deliveries are recorded nowhere else: after a restart every message is visible and was never received, as the SPI
 * allows.
 */
final class HeldMessage {
    final long number;
    final long id;
    final long sentMillis;
    final int bodyBytes;
    /** Where the log has it; changed by the log alone, which moves what is left in an old segment. */
    volatile Place place;

    int receiveCount;
    /** The token of the newest delivery; meaningless before the first. */
    long token;
    /** The time at which it becomes visible again, in nanoseconds of the queue's clock, if it is {@link #hidden}. */
    long visibleAtNanos;

    boolean hidden;

    HeldMessage(long number, long id, long sentMillis, int bodyBytes, Place place) {
        this.number = number;
        this.id = id;
        this.sentMillis = sentMillis;
        this.bodyBytes = bodyBytes;
        this.place = place;
    }

    /** The length of its entry in the log. */
    int bytes() {
        return LogEntry.HEAD_BYTES + bodyBytes;
    }

    String messageId() {
        return messageId(id);
    }

    static String messageId(long id) {
        return HexFormat.of().toHexDigits(id);
    }

    Receipt receipt() {
        return new Receipt(HexFormat.of().toHexDigits(number) + HexFormat.of().toHexDigits(token));
    }

    boolean isNewest(Handle handle) {
        return receiveCount > 0 && handle.token == token;
    }

    /** A decoded receipt. */
    record Handle(long number, long token) {
        private static final int LENGTH = 32;

        /** The receipt decoded; null when it is foreign. */
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
