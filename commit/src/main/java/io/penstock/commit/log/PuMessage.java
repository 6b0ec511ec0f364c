package io.penstock.commit.log;

import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import java.util.List;

/**
 * A message of a PU queue: log records of one client.
 *
 * @param client that sent it
 * @param first the number of the first record among all that this client has sent to this queue in order, counted from
 *     1; {@link #UNORDERED} when they have no order. The others follow without a gap.
 */
public record PuMessage(ClientId client, long first, List<LogRecord> records) {
    public static final long UNORDERED = 0;

    private static final int KIND = 'U';

    /** The most bytes of a message without its records: frame, client, number and count. */
    private static final int OVERHEAD_BYTES_MAX = Frame.HEADER_BYTES + 8 + 10 + 5;

    public PuMessage {
        records = List.copyOf(records);
    }

    public boolean ordered() {
        return first != UNORDERED;
    }

    /** The number of the last record. */
    public long last() {
        return first + records.size() - 1;
    }

    /** An upper bound of the bytes of a message without its records. */
    public static int overheadBytesMax() {
        return OVERHEAD_BYTES_MAX;
    }

    /** An upper bound of the bytes that one record adds. */
    public static int recordBytesMax(LogRecord record) {
        return LogRecordCodec.sizeMax(record);
    }

    /** Encodes the message as {@code u64 client | varint first | run of log records}. */
    public Bytes encode() {
        WireWriter out = new WireWriter(1024).u64(client.value()).varint(first);
        LogRecordCodec.write(out, records);
        return Frame.wrap(KIND, LogRecordCodec.format(records.stream()), out.toBytes());
    }

    /**
     * Decodes a message.
     *
     * @param what names the message in the error when it is damaged
     */
    public static PuMessage decode(Bytes message, String what) {
        WireReader in = Frame.unwrap(KIND, message, what);
        ClientId client = new ClientId(in.u64());
        long first = in.varint();
        List<LogRecord> records = LogRecordCodec.read(in);
        in.end();
        if (first < 0 || records.isEmpty() || first > Long.MAX_VALUE - records.size()) {
            throw in.corrupt("its numbers are impossible");
        }
        return new PuMessage(client, first, records);
    }
}
