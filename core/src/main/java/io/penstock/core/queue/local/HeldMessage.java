package io.penstock.core.queue.local;

import io.penstock.core.queue.table.QueuedMessage;
import java.util.HexFormat;

/**
 * The state of a message in memory: everything except its body. Deliveries are recorded nowhere else: after a restart
 * every message is visible and was never received, as the SPI allows.
 */
final class HeldMessage extends QueuedMessage {
    private final long id;
    private final int bodyBytes;
    /** The place of the message in the log; changed by the log alone, which moves what is left in an old segment. */
    volatile Place place;

    HeldMessage(long number, long id, long sentMillis, int bodyBytes, Place place) {
        super(number, sentMillis);
        this.id = id;
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
}
