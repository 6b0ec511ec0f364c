package io.penstock.commit.domain;

import io.penstock.commit.domain.Validator.WrittenKeys;
import io.penstock.commit.log.LogRecord;
import io.penstock.commit.log.WireReader;
import io.penstock.commit.log.WireWriter;
import io.penstock.core.Bytes;
import io.penstock.core.TreeId;
import io.penstock.core.page.Expiry;
import io.penstock.core.record.KeyRange;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The reads of a transaction: keys and ranges of trees, what no writer of an old epoch has written, and the time for
 * which records that expire were there. Ranges that touch or overlap become one. For one thread while it grows.
 */
public final class ReadSet {
    /** The approximate memory of a map's entry besides its keys, in bytes. */
    private static final int ENTRY_BYTES = 64;

    private static final int BOUNDED = 1;

    /** The most bytes of a number of things, or of a length. */
    private static final int COUNT_BYTES_MAX = 5;

    /** The most bytes of a time. */
    private static final int TIME_BYTES_MAX = 10;

    private final TreeMap<TreeId, OfTree> trees = new TreeMap<>();
    private long bytes;
    private long asOfMillis;

    /** The reads of one tree. */
    private static final class OfTree {
        final Set<Bytes> keys = new HashSet<>();

        /** The ranges read, by their lower bounds; none touches another. */
        final TreeMap<Bytes, KeyRange> ranges = new TreeMap<>();

        /** The epoch below which any write matters; 0: none does. */
        long epoch;

        /** The soonest expiry of what was read. */
        long expiryMillis = Expiry.NEVER;
    }

    public void add(TreeId tree, Bytes key) {
        if (of(tree).keys.add(key)) {
            bytes += ENTRY_BYTES + key.length();
        }
    }

    public void add(TreeId tree, KeyRange range) {
        if (range.isEmpty()) {
            return;
        }
        TreeMap<Bytes, KeyRange> ranges = of(tree).ranges;
        KeyRange merged = range;
        Map.Entry<Bytes, KeyRange> before = ranges.floorEntry(range.from());
        if (before != null && reaches(before.getValue(), range.from())) {
            merged = union(before.getValue(), merged);
            remove(ranges, before.getKey());
        }
        Map.Entry<Bytes, KeyRange> next = ranges.ceilingEntry(merged.from());
        while (next != null && reaches(merged, next.getKey())) {
            merged = union(merged, next.getValue());
            remove(ranges, next.getKey());
            next = ranges.ceilingEntry(merged.from());
        }
        ranges.put(merged.from(), merged);
        bytes += bytesOf(merged);
    }

    /** Adds all writes to a tree of an epoch, as in {@link LogRecord}, below this one. */
    public void addWritesBefore(TreeId tree, long epoch) {
        OfTree read = of(tree);
        read.epoch = Math.max(read.epoch, epoch);
    }

    /** Adds that a record of a tree was read before it expired. */
    public void addAlive(TreeId tree, long expiryMillis) {
        if (expiryMillis != Expiry.NEVER) {
            OfTree read = of(tree);
            read.expiryMillis = Math.min(read.expiryMillis, expiryMillis);
        }
    }

    /** Notes that records may have counted as expired at a time, in milliseconds since 1970. */
    public void asOf(long millis) {
        asOfMillis = Math.max(asOfMillis, millis);
    }

    /** The latest time at which records may have counted as expired, in milliseconds since 1970. */
    public long asOfMillis() {
        return asOfMillis;
    }

    /** The conflict with the end of a record that was read, if that has expired at a time. */
    Optional<Conflict> expired(long millis) {
        return trees.entrySet().stream()
                .filter(entry -> entry.getValue().expiryMillis <= millis)
                .findFirst()
                .map(entry -> Conflict.expired(entry.getKey()));
    }

    private OfTree of(TreeId tree) {
        return trees.computeIfAbsent(tree, t -> new OfTree());
    }

    private void remove(TreeMap<Bytes, KeyRange> ranges, Bytes from) {
        KeyRange removed = ranges.remove(from);
        bytes -= removed == null ? 0 : bytesOf(removed);
    }

    private static long bytesOf(KeyRange range) {
        Bytes to = range.to();
        return ENTRY_BYTES + range.from().length() + (to == null ? 0 : to.length());
    }

    /** Whether a range contains a key, or ends just before it. */
    private static boolean reaches(KeyRange range, Bytes key) {
        Bytes to = range.to();
        return to == null || to.compareTo(key) >= 0;
    }

    /** The union of two ranges that touch; {@code low} begins first. */
    private static KeyRange union(KeyRange low, KeyRange high) {
        Bytes one = low.to();
        Bytes other = high.to();
        Bytes to = one == null || other == null ? null : one.compareTo(other) >= 0 ? one : other;
        return new KeyRange(low.from(), to);
    }

    public boolean isEmpty() {
        return trees.isEmpty();
    }

    /** Returns the approximate memory that it takes, in bytes. */
    public long bytes() {
        return bytes;
    }

    /** An upper bound of the bytes that {@link #write} writes. */
    long encodedBytesMax() {
        long all = TIME_BYTES_MAX + COUNT_BYTES_MAX;
        for (OfTree read : trees.values()) {
            all += Long.BYTES + TIME_BYTES_MAX + 2 * COUNT_BYTES_MAX;
            for (Bytes key : read.keys) {
                all += COUNT_BYTES_MAX + key.length();
            }
            for (KeyRange range : read.ranges.values()) {
                Bytes to = range.to();
                all += 1 + 2 * COUNT_BYTES_MAX + range.from().length() + (to == null ? 0 : to.length());
            }
        }
        return all;
    }

    /** A conflict with a transaction that is too old for any check; empty when nothing was read. */
    Optional<Conflict> tooOld() {
        return trees.isEmpty() ? Optional.empty() : Optional.of(Conflict.tooOld(trees.firstKey()));
    }

    /** The conflict with a write, if what was written had been read. */
    Optional<Conflict> conflict(LogRecord write) {
        OfTree read = trees.get(write.tree());
        if (read == null) {
            return Optional.empty();
        }
        return write.epoch() < read.epoch
                ? Optional.of(new Conflict(
                        write.tree(), Conflict.Kind.RANGE, write.change().key()))
                : conflict(read, write.tree(), write.change().key());
    }

    private static Optional<Conflict> conflict(OfTree read, TreeId tree, Bytes key) {
        if (read.keys.contains(key)) {
            return Optional.of(new Conflict(tree, Conflict.Kind.KEY, key));
        }
        Map.Entry<Bytes, KeyRange> range = read.ranges.floorEntry(key);
        return range != null && range.getValue().contains(key)
                ? Optional.of(new Conflict(tree, Conflict.Kind.RANGE, key))
                : Optional.empty();
    }

    /** The first conflict with any of some writes. */
    Optional<Conflict> conflict(WrittenKeys writes) {
        for (Map.Entry<TreeId, OfTree> entry : trees.entrySet()) {
            TreeId tree = entry.getKey();
            Optional<Conflict> found = entry.getValue().keys.stream()
                    .filter(key -> writes.contains(tree, key))
                    .findFirst()
                    .map(key -> new Conflict(tree, Conflict.Kind.KEY, key))
                    .or(() -> entry.getValue().ranges.values().stream()
                            .flatMap(range -> writes.firstIn(tree, range).stream())
                            .findFirst()
                            .map(key -> new Conflict(tree, Conflict.Kind.RANGE, key)))
                    .or(() -> writes.firstBefore(tree, entry.getValue().epoch)
                            .map(key -> new Conflict(tree, Conflict.Kind.RANGE, key)));
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    /**
     * Writes it as {@code varint(as of) | varint(trees) (u64 tree | varint(epoch) | varint(expiry) | varint(keys)
     * bytes(key)* | varint(ranges) (u8 bounded | bytes(from) | [bytes(to)])*)*}. An expiry of 0 is none.
     */
    void write(WireWriter out) {
        out.varint(asOfMillis).varint(trees.size());
        trees.forEach((tree, read) -> {
            out.u64(tree.value())
                    .varint(read.epoch)
                    .varint(read.expiryMillis == Expiry.NEVER ? 0 : read.expiryMillis)
                    .varint(read.keys.size());
            read.keys.stream().sorted().forEach(out::bytes);
            out.varint(read.ranges.size());
            for (KeyRange range : read.ranges.values()) {
                Bytes to = range.to();
                out.u8(to == null ? 0 : BOUNDED).bytes(range.from());
                if (to != null) {
                    out.bytes(to);
                }
            }
        });
    }

    /** Reads what {@link #write} has written. */
    static ReadSet read(WireReader in) {
        ReadSet reads = new ReadSet();
        reads.asOf(in.varint());
        int count = in.count(12);
        for (int i = 0; i < count; i++) {
            TreeId tree = new TreeId(in.u64());
            reads.addWritesBefore(tree, in.varint());
            long expiry = in.varint();
            reads.addAlive(tree, expiry == 0 ? Expiry.NEVER : expiry);
            int keys = in.count(1);
            for (int k = 0; k < keys; k++) {
                reads.add(tree, in.bytes());
            }
            int ranges = in.count(2);
            for (int r = 0; r < ranges; r++) {
                int bounded = in.u8();
                Bytes from = in.bytes();
                @Nullable Bytes to = bounded == BOUNDED ? in.bytes() : null;
                reads.add(tree, new KeyRange(from, to));
            }
        }
        return reads;
    }
}
