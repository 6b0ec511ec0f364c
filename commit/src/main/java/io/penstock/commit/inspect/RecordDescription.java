package io.penstock.commit.inspect;

import io.penstock.core.Bytes;
import io.penstock.core.TreeId;
import io.penstock.core.page.Expiry;
import io.penstock.core.record.RecordChange;
import java.util.HexFormat;

/** A description of a log record in words. */
public final class RecordDescription {
    private RecordDescription() {}

    /** @param bytes whether key and payload are shown */
    public static String of(TreeId tree, RecordChange change, boolean bytes) {
        Bytes payload = change.payloadOrNull();
        String what = payload == null ? "delete" : (change.isReference() ? "put large" : "put");
        String line = what + " tree=" + tree.hex() + " time="
                + Words.time(change.stamp().millis()) + " stamp=" + change.stamp() + " key bytes="
                + change.key().length() + (payload == null ? "" : " payload bytes=" + payload.length());
        if (change.expiryMillis() != Expiry.NEVER) {
            line += " expires=" + Words.time(change.expiryMillis());
        }
        if (!bytes) {
            return line;
        }
        return line + " key=" + Words.key(change.key()) + (payload == null ? "" : " payload=" + hex(payload));
    }

    private static String hex(Bytes bytes) {
        return HexFormat.of().formatHex(bytes.array(), bytes.offset(), bytes.offset() + bytes.length());
    }
}
