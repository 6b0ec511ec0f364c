package io.penstock.commit.log;

import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A message of a PU queue: log records of one client.
 *
 * @param client that sent it
 * @param first the number of the first record among all that this client has sent to this queue in order, counted from
 *     1; {@link #UNORDERED} when they have no order. The others follow without a gap.
 * @param after the records that come before the first one although another client id has sent them; null when there are
 *     none
 */
public record PuMessage(
        ClientId client, long first, @Nullable Predecessor after, List<LogRecord> records) {
    public static final long UNORDERED = 0;

    private static final int KIND = 'U';

    /** The most bytes of a message without its records: frame, client, number, predecessor and count. */
    private static final int OVERHEAD_BYTES_MAX = Frame.HEADER_BYTES + 8 + 10 + 18 + 5;

    /**
     * An id under which the same sender went before, and the number of the last record that may have arrived under it
     * in the same queue.
     */
    public record Predecessor(ClientId client, long last) {}

    public PuMessage {
        records = List.copyOf(records);
    }

    public PuMessage(ClientId client, long first, List<LogRecord> records) {
        this(client, first, null, records);
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

    /**
     * Encodes the message as {@code u64 client | varint first | run of log records | [u64 client | varint last]}, with
     * the predecessor in brackets.
     */
    public Bytes encode() {
        WireWriter out = new WireWriter(1024).u64(client.value()).varint(first);
        LogRecordCodec.write(out, records);
        if (after != null) {
            out.u64(after.client.value()).varint(after.last);
        }
        return Frame.wrap(KIND, out.toBytes());
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
        Predecessor after = in.remaining() > 0 ? new Predecessor(new ClientId(in.u64()), in.varint()) : null;
        in.end();
        if (first < 0 || records.isEmpty() || first > Long.MAX_VALUE - records.size()) {
            throw in.corrupt("its numbers are impossible");
        }
        if (after != null && (first != 1 || after.last < 1)) {
            throw in.corrupt("its predecessor is impossible");
        }
        return new PuMessage(client, first, after, records);
    }
}
