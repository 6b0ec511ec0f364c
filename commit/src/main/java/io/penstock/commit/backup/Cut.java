package io.penstock.commit.backup;

import io.penstock.commit.domain.LogReader;
import io.penstock.commit.log.Frame;
import io.penstock.commit.log.WireReader;
import io.penstock.commit.log.WireWriter;
import io.penstock.core.Bytes;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * A state of a store that can be restored: a base, of records read at several positions, and the transactions since.
 *
 * @param store the identity of the store
 * @param takenMillis when the ends of the logs were looked for, by the servers' clock, milliseconds since 1970
 * @param base the name of the base
 * @param chunks the number of objects with records that the base has
 * @param collections their names
 * @param domains the part of each domain's log that it has
 */
record Cut(
        String store,
        long takenMillis,
        String base,
        long chunks,
        List<String> collections,
        SortedMap<String, Span> domains) {
    private static final int KIND = 'K';

    /**
     * A place in a log: after a segment.
     *
     * @param millis of the newest stamp up to there: no transaction after it has an older one
     */
    record Mark(long segment, long writeId, long millis) {
        /** The place after the last transaction of a segment. */
        static Mark after(LogReader.Read last) {
            return new Mark(
                    last.after().segment(), last.after().writeId(), last.stamp().millis());
        }
    }

    /**
     * A part of a domain's log.
     *
     * @param from before all that the base was read at
     * @param base after all that the base was read at
     * @param to the end
     * @param parts the objects that have it, in order
     */
    record Span(Mark from, Mark base, Mark to, List<String> parts) {}

    /** The name of its object. */
    String name() {
        return "cut/" + BackupPlace.hex(takenMillis);
    }

    /**
     * The first moment that it has: earlier ones need an earlier base. None is before the definitions were read, when
     * the base began: there may have been other collections then.
     */
    long firstMillis() {
        return newest(HexFormat.fromHexDigitsToLong(base), Span::base);
    }

    /** The moment up to which it has everything: of its newest stamp, if that is not older than its first moment. */
    long newestMillis() {
        return newest(firstMillis(), Span::to);
    }

    private long newest(long least, Function<Span, Mark> mark) {
        return domains.values().stream()
                .mapToLong(span -> mark.apply(span).millis)
                .reduce(least, Math::max);
    }

    /** The last moment that it has, but for what was on its way when it was taken. */
    long lastMillis() {
        return Math.max(takenMillis, newestMillis());
    }

    /**
     * Whether it has all that was committed up to a moment, whatever was on its way when it was taken: what comes later
     * has newer stamps than its ends, which may be of the same millisecond.
     */
    boolean hasAllOf(long atMillis) {
        return domains.values().stream().allMatch(span -> span.to.millis > atMillis);
    }

    /**
     * Encodes it as {@code bytes(store) | u64 taken | bytes(base) | varint chunks | varint(count) bytes(collection)* |
     * varint(count) (bytes(domain) | three times varint segment, u64 write id and u64 millis | varint(count)
     * bytes(part)*)*} after a frame.
     */
    Bytes encode() {
        WireWriter out = new WireWriter(1024)
                .bytes(Bytes.utf8(store))
                .u64(takenMillis)
                .bytes(Bytes.utf8(base))
                .varint(chunks);
        write(out, collections);
        out.varint(domains.size());
        domains.forEach((domain, span) -> {
            out.bytes(Bytes.utf8(domain));
            List.of(span.from, span.base, span.to)
                    .forEach(mark -> out.varint(mark.segment).u64(mark.writeId).u64(mark.millis));
            write(out, span.parts);
        });
        return Frame.wrap(KIND, out.toBytes());
    }

    private static void write(WireWriter out, List<String> texts) {
        out.varint(texts.size());
        texts.forEach(text -> out.bytes(Bytes.utf8(text)));
    }

    static Cut decode(Bytes body) {
        WireReader in = Frame.unwrap(KIND, body, "a backup");
        String store = in.bytes().toUtf8();
        long taken = in.u64();
        String base = in.bytes().toUtf8();
        long chunks = in.varint();
        List<String> collections = texts(in);
        SortedMap<String, Span> domains = new TreeMap<>();
        for (int left = in.count(12); left > 0; left--) {
            String domain = in.bytes().toUtf8();
            domains.put(domain, new Span(mark(in), mark(in), mark(in), texts(in)));
        }
        in.end();
        return new Cut(store, taken, base, chunks, collections, domains);
    }

    private static Mark mark(WireReader in) {
        return new Mark(in.varint(), in.u64(), in.u64());
    }

    private static List<String> texts(WireReader in) {
        List<String> texts = new ArrayList<>();
        for (int left = in.count(1); left > 0; left--) {
            texts.add(in.bytes().toUtf8());
        }
        return texts;
    }
}
