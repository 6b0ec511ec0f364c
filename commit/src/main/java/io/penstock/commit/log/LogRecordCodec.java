package io.penstock.commit.log;

import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.overflow.OverflowParts;
import io.penstock.core.page.Expiry;
import io.penstock.core.record.RecordChange;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The encoding of a run of log records. Tree and stamp are written only when they change, so the records of a
 * transaction share one copy.
 *
 * <pre>
 * run    := varint(count) record*
 * record := u8(flags) [u64 tree] [u64 stamp time, u64 stamp client] [varint epoch] [varint expiry]
 *           bytes(key) [bytes(payload)]
 * flags  := 1 delete (no payload) | 2 tree follows | 4 stamp follows | 8 the payload is the overflow parts
 *           | 16 epoch follows (else it is 0) | 32 expiry follows (else there is none)
 * </pre>
 */
public final class LogRecordCodec {
    private static final int DELETE = 1;
    private static final int TREE = 2;
    private static final int STAMP = 4;
    private static final int REFERENCE = 8;
    private static final int EPOCH = 16;
    private static final int EXPIRY = 32;
    private static final int ALL_FLAGS = DELETE | TREE | STAMP | REFERENCE | EPOCH | EXPIRY;

    /** The least bytes of a record: a flag byte and an empty key. */
    private static final int RECORD_BYTES_MIN = 2;

    /**
     * The most bytes that a record adds to its key and payload: flags, tree, stamp, and two lengths of at most five
     * bytes.
     */
    private static final int OVERHEAD_BYTES_MAX = 1 + 8 + 16 + 5 + 5;

    private static final int EPOCH_BYTES_MAX = 10;
    private static final int EXPIRY_BYTES_MAX = 9;

    private LogRecordCodec() {}

    /** An upper bound of the bytes that one record adds to a run. */
    public static int sizeMax(LogRecord record) {
        return sizeMax(record.change().bytes(), record.epoch() != 0, expires(record));
    }

    /** Returns the maximum size of a record with {@code bytes} bytes of key and payload. */
    public static int sizeMax(int bytes, boolean ofEpoch, boolean expires) {
        return OVERHEAD_BYTES_MAX + (ofEpoch ? EPOCH_BYTES_MAX : 0) + (expires ? EXPIRY_BYTES_MAX : 0) + bytes;
    }

    /** Writes a run of log records. */
    public static void write(WireWriter out, List<LogRecord> records) {
        out.varint(records.size());
        TreeId tree = null;
        Stamp stamp = null;
        for (LogRecord record : records) {
            RecordChange change = record.change();
            boolean newTree = !record.tree().equals(tree);
            boolean newStamp = !change.stamp().equals(stamp);
            int more = (record.epoch() == 0 ? 0 : EPOCH) | (expires(record) ? EXPIRY : 0);
            out.u8(kind(change) | (newTree ? TREE : 0) | (newStamp ? STAMP : 0) | more);
            if (newTree) {
                out.u64(record.tree().value());
            }
            if (newStamp) {
                out.u64(change.stamp().time()).u64(change.stamp().client().value());
            }
            if (record.epoch() != 0) {
                out.varint(record.epoch());
            }
            if (expires(record)) {
                out.varint(change.expiryMillis());
            }
            out.bytes(change.key());
            switch (change) {
                case RecordChange.Put put -> out.bytes(put.payload());
                case RecordChange.Delete delete -> {
                    // A delete has only a key.
                }
            }
            tree = record.tree();
            stamp = change.stamp();
        }
    }

    /** Reads a run of log records. */
    public static List<LogRecord> read(WireReader in) {
        int count = in.count(RECORD_BYTES_MIN);
        List<LogRecord> records = new ArrayList<>(count);
        TreeId tree = null;
        Stamp stamp = null;
        for (int i = 0; i < count; i++) {
            int flags = in.u8();
            if ((flags & ~ALL_FLAGS) != 0) {
                throw in.corrupt("a log record has unknown flags");
            }
            tree = (flags & TREE) != 0 ? new TreeId(in.u64()) : tree;
            stamp = (flags & STAMP) != 0 ? new Stamp(in.u64(), new ClientId(in.u64())) : stamp;
            records.add(record(in, flags, tree, stamp));
        }
        return records;
    }

    private static LogRecord record(WireReader in, int flags, @Nullable TreeId tree, @Nullable Stamp stamp) {
        if (tree == null || stamp == null) {
            throw in.corrupt("a log record has no tree or no stamp");
        }
        long epoch = (flags & EPOCH) != 0 ? in.varint() : 0;
        if (epoch < 0) {
            throw in.corrupt("a log record has an epoch below 0");
        }
        long expiry = (flags & EXPIRY) != 0 ? in.varint() : Expiry.NEVER;
        if (expiry < 0 || (flags & EXPIRY) != 0 && (expiry == Expiry.NEVER || (flags & DELETE) != 0)) {
            throw in.corrupt("a log record has an expiry that is none");
        }
        Bytes key = in.bytes();
        RecordChange change = switch (flags & (DELETE | REFERENCE)) {
            case 0 -> new RecordChange.Put(key, in.bytes(), false, expiry, stamp);
            case DELETE -> new RecordChange.Delete(key, stamp);
            case REFERENCE -> new RecordChange.Put(key, reference(in), true, expiry, stamp);
            default -> throw in.corrupt("a delete has a payload");
        };
        return new LogRecord(tree, change, epoch);
    }

    private static Bytes reference(WireReader in) {
        Bytes reference = in.bytes();
        // Checked here, so that damage is not first found when the page with this reference is written but the message
        // not yet deleted.
        OverflowParts.decode(reference);
        return reference;
    }

    /** The flags that distinguish the kinds of changes. */
    private static int kind(RecordChange change) {
        return switch (change) {
            case RecordChange.Put put -> put.isReference() ? REFERENCE : 0;
            case RecordChange.Delete delete -> DELETE;
        };
    }

    private static boolean expires(LogRecord record) {
        return record.change().expiryMillis() != Expiry.NEVER;
    }
}
