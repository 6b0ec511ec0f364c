package io.penstock.commit.log;

import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.Stamp;
import java.util.ArrayList;
import java.util.List;

/** A message of an ATOMIC queue: parts of one or several transactions of one client. */
public record AtomicMessage(List<Part> parts) {
    private static final int KIND = 'A';

    /** The least bytes of a part: a stamp, two numbers, and a run of at least one byte. */
    private static final int PART_BYTES_MIN = 16 + 2 + 1;

    private static final int PART_OVERHEAD_BYTES_MAX = 16 + 5 + 5 + 5;
    private static final int OVERHEAD_BYTES_MAX = Frame.HEADER_BYTES + 5;

    /**
     * A part of a transaction. The last part is the commit record: it is sent when all others have arrived. A small
     * transaction is one part.
     *
     * @param stamp of the transaction
     * @param index of this part, counted from 0
     * @param count of all parts
     */
    public record Part(Stamp stamp, int index, int count, List<LogRecord> records) {
        public Part {
            records = List.copyOf(records);
        }

        /** An upper bound of the bytes that this part adds to a message. */
        public int bytesMax() {
            return PART_OVERHEAD_BYTES_MAX
                    + records.stream().mapToInt(LogRecordCodec::sizeMax).sum();
        }
    }

    public AtomicMessage {
        parts = List.copyOf(parts);
    }

    /** An upper bound of the bytes of a message without its parts. */
    public static int frameBytesMax() {
        return OVERHEAD_BYTES_MAX;
    }

    /** An upper bound of the bytes of a message and one part, without records. */
    public static int overheadBytesMax() {
        return OVERHEAD_BYTES_MAX + PART_OVERHEAD_BYTES_MAX;
    }

    /** An upper bound of the bytes that one record adds. */
    public static int recordBytesMax(LogRecord record) {
        return LogRecordCodec.sizeMax(record);
    }

    /**
     * Encodes the message as {@code varint(count) (u64 time | u64 client | varint index | varint count | run of log
     * records)*}.
     */
    public Bytes encode() {
        WireWriter out = new WireWriter(1024).varint(parts.size());
        for (Part part : parts) {
            out.u64(part.stamp.time()).u64(part.stamp.client().value());
            out.varint(part.index).varint(part.count);
            LogRecordCodec.write(out, part.records);
        }
        return Frame.wrap(KIND, out.toBytes());
    }

    /**
     * Decodes a message.
     *
     * @param what names the message in the error when it is damaged
     */
    public static AtomicMessage decode(Bytes message, String what) {
        WireReader in = Frame.unwrap(KIND, message, what);
        int count = in.count(PART_BYTES_MIN);
        List<Part> parts = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            Stamp stamp = new Stamp(in.u64(), new ClientId(in.u64()));
            long index = in.varint();
            long of = in.varint();
            if (index < 0 || index >= of || of > Integer.MAX_VALUE) {
                throw in.corrupt("its parts are numbered wrongly");
            }
            parts.add(new Part(stamp, (int) index, (int) of, LogRecordCodec.read(in)));
        }
        in.end();
        return new AtomicMessage(parts);
    }
}
