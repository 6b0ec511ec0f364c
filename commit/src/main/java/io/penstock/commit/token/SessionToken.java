package io.penstock.commit.token;

import io.penstock.commit.log.Frame;
import io.penstock.commit.log.LogRecord;
import io.penstock.commit.log.LogRecordCodec;
import io.penstock.commit.log.WireReader;
import io.penstock.commit.log.WireWriter;
import io.penstock.commit.queue.Position;
import io.penstock.commit.queue.PuQueueId;
import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The state that another client needs to continue a session. Immutable.
 *
 * @param store a hash of the store's prefix
 * @param time of the hybrid clock: no stamp that the session has read or drawn is newer
 * @param origin the client that made it, as it knows itself; other clients do not
 * @param domains the positions in the commit logs of the domains that the session has used
 * @param awaited the places of the session's log records that were not known to be applied
 * @param records all log records at these places; empty when they do not fit, or must not travel
 */
public record SessionToken(
        long store,
        long time,
        Origin origin,
        SortedMap<String, Long> domains,
        List<Position> awaited,
        List<LogRecord> records) {
    private static final int KIND = 'T';

    /** The most bytes of all log records together. */
    static final int RECORD_BYTES_MAX = 2 << 10;

    /** The least bytes of a domain, a sender to a queue, and a run of numbers. */
    private static final int DOMAIN_BYTES_MIN = 2;

    private static final int SENDER_BYTES_MIN = 18;
    private static final int RUN_BYTES_MIN = 2;

    /**
     * The client that made a token.
     *
     * @param id random
     * @param pagesNanos the time by its clock of pages as of which it must have read them to show what the session saw
     */
    record Origin(long id, long pagesNanos) {}

    public SessionToken {
        domains = new TreeMap<>(domains);
        awaited = merged(awaited);
        records = List.copyOf(records);
    }

    /** Returns these places in order, those joined that follow each other. */
    static List<Position> merged(List<Position> places) {
        List<Position> sorted = places.stream()
                .sorted(Comparator.comparing(Position::queue)
                        .thenComparing(Position::client)
                        .thenComparingLong(Position::first))
                .toList();
        List<Position> joined = new ArrayList<>();
        for (Position next : sorted) {
            Position last = joined.isEmpty() ? null : joined.getLast();
            if (last != null && isSameSender(last, next) && next.first() <= last.last() + 1) {
                joined.removeLast();
                joined.add(new Position(last.queue(), last.client(), last.first(), Math.max(last.last(), next.last())));
            } else {
                joined.add(next);
            }
        }
        return List.copyOf(joined);
    }

    private static boolean isSameSender(Position a, Position b) {
        return a.queue().equals(b.queue()) && a.client().equals(b.client());
    }

    /**
     * Encodes it as {@code u64 store | u64 time | u64 origin | u64 pages | varint(domains) (bytes(name) | varint
     * position)* | varint(senders) (u64 tree | bytes(part) | u64 sender | varint(runs) (varint first | varint more)*)*
     * | run of log records} after a frame.
     */
    Bytes encode() {
        WireWriter out = new WireWriter(256)
                .u64(store)
                .u64(time)
                .u64(origin.id)
                .u64(origin.pagesNanos)
                .varint(domains.size());
        domains.forEach((name, position) -> out.bytes(Bytes.utf8(name)).varint(position));
        List<List<Position>> senders = bySender();
        out.varint(senders.size());
        for (List<Position> runs : senders) {
            Position any = runs.getFirst();
            out.u64(any.queue().tree().value())
                    .bytes(Bytes.utf8(any.queue().part()))
                    .u64(any.client().value())
                    .varint(runs.size());
            runs.forEach(run -> out.varint(run.first()).varint(run.last() - run.first()));
        }
        LogRecordCodec.write(out, records);
        return Frame.wrap(KIND, out.toBytes());
    }

    private List<List<Position>> bySender() {
        List<List<Position>> senders = new ArrayList<>();
        for (Position place : awaited) {
            if (senders.isEmpty() || !isSameSender(senders.getLast().getLast(), place)) {
                senders.add(new ArrayList<>());
            }
            senders.getLast().add(place);
        }
        return senders;
    }

    /** @throws io.penstock.core.StoreException when these bytes are no token, or one of another format */
    static SessionToken decode(Bytes bytes) {
        WireReader in = Frame.unwrap(KIND, bytes, "session token");
        long store = in.u64();
        long time = in.u64();
        Origin origin = new Origin(in.u64(), in.u64());
        TreeMap<String, Long> domains = new TreeMap<>();
        for (int left = in.count(DOMAIN_BYTES_MIN); left > 0; left--) {
            domains.put(in.bytes().toUtf8(), in.varint());
        }
        List<Position> awaited = new ArrayList<>();
        for (int left = in.count(SENDER_BYTES_MIN); left > 0; left--) {
            readSender(in, awaited);
        }
        List<LogRecord> records = LogRecordCodec.read(in);
        in.end();
        if (domains.values().stream().anyMatch(position -> position < 0)) {
            throw in.corrupt("a position is below 0");
        }
        return new SessionToken(store, time, origin, domains, awaited, records);
    }

    private static void readSender(WireReader in, List<Position> awaited) {
        String queue = new TreeId(in.u64()).hex() + "-" + in.bytes().toUtf8();
        PuQueueId id = id(in, queue);
        ClientId client = new ClientId(in.u64());
        for (int runs = in.count(RUN_BYTES_MIN); runs > 0; runs--) {
            long first = in.varint();
            long more = in.varint();
            if (first < 1 || more < 0 || first + more < first) {
                throw in.corrupt("numbers of log records are impossible");
            }
            awaited.add(new Position(id, client, first, first + more));
        }
    }

    private static PuQueueId id(WireReader in, String queue) {
        try {
            return PuQueueId.parse(queue);
        } catch (InvalidRequestException impossible) {
            throw in.corrupt("a queue's name is impossible");
        }
    }

    /**
     * Whether a client that continues the session has nothing to wait for, since the log records themselves are here.
     */
    boolean carriesAll() {
        return awaited.isEmpty() || !records.isEmpty();
    }

    /** The records by transaction: all of one stamp. */
    static Map<Stamp, List<LogRecord>> transactions(List<LogRecord> records) {
        return new TreeMap<>(LogRecord.byStamp(records));
    }
}
