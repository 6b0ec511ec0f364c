package io.penstock.commit.inspect;

import io.penstock.core.Bytes;
import io.penstock.core.PageId;
import io.penstock.core.TreeId;
import io.penstock.core.page.Expiry;
import io.penstock.core.record.RecordChange;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Locale;

/** The notation of values in descriptions. */
public final class TextFormat {
    /** The most bytes of a key that are shown. */
    private static final int KEY_SHOWN_MAX = 64;

    private TextFormat() {}

    /** Writes a key in double quotes: printable ASCII as it is, all else as {@code \xNN}; a long key is cut. */
    public static String key(Bytes key) {
        StringBuilder text = new StringBuilder("\"");
        int shown = Math.min(key.length(), KEY_SHOWN_MAX);
        for (int i = 0; i < shown; i++) {
            int b = key.array()[key.offset() + i] & 0xff;
            if (b >= ' ' && b < 0x7f && b != '"' && b != '\\') {
                text.append((char) b);
            } else {
                text.append(String.format(Locale.ROOT, "\\x%02x", b));
            }
        }
        text.append('"');
        return shown == key.length() ? text.toString() : text + "+" + (key.length() - shown);
    }

    /** Writes milliseconds since 1970 as a UTC time; {@code never} for 0. */
    public static String time(long millis) {
        return millis == 0 ? "never" : Instant.ofEpochMilli(millis).toString();
    }

    /** Writes the number of a page; {@code none} for no page. */
    public static String page(long number) {
        return number == PageId.NONE ? "none" : String.format(Locale.ROOT, "%016x", number);
    }

    /**
     * Describes a log record.
     *
     * @param bytes whether key and payload are shown
     */
    public static String record(TreeId tree, RecordChange change, boolean bytes) {
        Bytes payload = change.payloadOrNull();
        String what = payload == null ? "delete" : (change.isReference() ? "put large" : "put");
        String line = what + " tree=" + tree.hex() + " time="
                + time(change.stamp().millis()) + " stamp=" + change.stamp() + " key bytes="
                + change.key().length() + (payload == null ? "" : " payload bytes=" + payload.length());
        if (change.expiryMillis() != Expiry.NEVER) {
            line += " expires=" + time(change.expiryMillis());
        }
        if (!bytes) {
            return line;
        }
        return line + " key=" + key(change.key()) + (payload == null ? "" : " payload=" + hex(payload));
    }

    private static String hex(Bytes bytes) {
        return HexFormat.of().formatHex(bytes.array(), bytes.offset(), bytes.offset() + bytes.length());
    }
}
