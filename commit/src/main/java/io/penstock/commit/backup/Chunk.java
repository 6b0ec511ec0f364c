package io.penstock.commit.backup;

import io.penstock.commit.log.Frame;
import io.penstock.commit.log.LogRecord;
import io.penstock.commit.log.LogRecordCodec;
import io.penstock.commit.log.WireReader;
import io.penstock.commit.log.WireWriter;
import io.penstock.core.Bytes;
import io.penstock.core.TreeId;
import io.penstock.core.record.KeyRange;
import java.util.List;

/**
 * The records of a range of a tree, as they were at one position of its domain's log.
 *
 * @param records in the order of their keys, with the stamp zero
 */
record Chunk(long position, TreeId tree, KeyRange range, List<LogRecord> records) {
    private static final int KIND = 'B';

    /**
     * Encodes it as {@code varint position | u64 tree | bytes(from) | u8 whether it ends | bytes(to) | run of log
     * records} after a frame.
     */
    Bytes encode() {
        Bytes to = range.to();
        WireWriter out = new WireWriter(1 << 16)
                .varint(position)
                .u64(tree.value())
                .bytes(range.from())
                .u8(to == null ? 0 : 1)
                .bytes(to == null ? Bytes.EMPTY : to);
        LogRecordCodec.write(out, records);
        return Frame.wrap(KIND, out.toBytes());
    }

    static Chunk decode(Bytes body) {
        WireReader in = Frame.unwrap(KIND, body, "a backup");
        long position = in.varint();
        TreeId tree = new TreeId(in.u64());
        Bytes from = in.bytes();
        boolean ends = in.u8() != 0;
        Bytes to = in.bytes();
        List<LogRecord> records = LogRecordCodec.read(in);
        in.end();
        return new Chunk(position, tree, new KeyRange(from, ends ? to : null), records);
    }
}
