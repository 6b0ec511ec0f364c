package io.penstock.commit.protocol;

import io.penstock.commit.log.LogRecord;
import io.penstock.commit.log.LogRecordCodec;
import io.penstock.core.Bytes;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.UnavailableException;
import io.penstock.core.page.Expiry;
import io.penstock.core.record.Content;
import io.penstock.core.record.Direction;
import io.penstock.core.record.KeyRange;
import io.penstock.core.record.RecordChange;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The uncommitted writes of a transaction: for each key of each tree the last one. For one thread. */
public final class WriteSet {
    /** The writes by tree and key, with no stamp yet. */
    private final TreeMap<TreeId, TreeMap<Bytes, LogRecord>> trees = new TreeMap<>();

    private final Map<RecordName, Long> fromFuture;
    private final long bytesMax;
    private final boolean isEmptyForEver;

    /** The values that writes have replaced since the first mark, in order. */
    private final List<Replaced> undo = new ArrayList<>();

    private int marks;
    private boolean viewed;

    /** The records that were replaced since the newest view. Views need no value but the first one of each. */
    private final Set<RecordName> replaced = new HashSet<>();

    /** The write set that this is a view of; null for none. */
    private final @Nullable WriteSet of;

    /** Of a view: what was there then, of all that was replaced in {@link #of} up to {@link #link}. */
    private final Map<TreeId, TreeMap<Bytes, Optional<LogRecord>>> then = new HashMap<>();

    /** The end of the chain of replaced values; of a view, as far as it has followed it. */
    private Link link;

    private long bytes;
    private long runBytes;
    private long asOfMillis;

    /** The name of a record. */
    private record RecordName(TreeId tree, Bytes key) {}

    /** The log record that a write replaced; null for none. */
    private record Replaced(
            TreeId tree, Bytes key, @Nullable LogRecord before) {}

    /** A link of the chain that views follow: nobody else holds its values, so they go with the views. */
    private static final class Link {
        /** Null at the end of the chain, as is the next link. */
        private @Nullable Replaced value;

        private @Nullable Link next;
    }

    /** @param bytesMax of keys and payloads */
    public WriteSet(long bytesMax) {
        this(bytesMax, false);
    }

    private WriteSet(long bytesMax, boolean isEmptyForEver) {
        this.bytesMax = bytesMax;
        this.isEmptyForEver = isEmptyForEver;
        this.fromFuture = new HashMap<>();
        this.of = null;
        this.link = new Link();
    }

    private WriteSet(WriteSet of) {
        this.bytesMax = of.bytesMax;
        this.isEmptyForEver = false;
        this.fromFuture = of.fromFuture;
        this.of = of;
        this.link = of.link;
    }

    /** The writes as they are now, for one scan: a transaction may write while it scans. Notes go to both. */
    public WriteSet view() {
        if (isEmptyForEver) {
            return this;
        }
        viewed = true;
        replaced.clear();
        return new WriteSet(this);
    }

    /** Of a view: what was there then, of a tree's writes that were replaced since. */
    private TreeMap<Bytes, Optional<LogRecord>> then(TreeId tree) {
        for (Replaced next = link.value; next != null; next = link.value) {
            then.computeIfAbsent(next.tree, made -> new TreeMap<>())
                    .putIfAbsent(next.key, Optional.ofNullable(next.before));
            link = Objects.requireNonNull(link.next);
        }
        return then.getOrDefault(tree, new TreeMap<>());
    }

    /**
     * Checks that it is not larger than it may be. Others may have to hold all of it in memory to finish what a client
     * has left.
     *
     * @throws InvalidRequestException if it is
     */
    public void requireSize() {
        if (bytes > bytesMax) {
            throw new InvalidRequestException(
                    ErrorCode.TOO_LARGE,
                    "the transaction is too large, and everyone who finishes it must hold it in memory; nothing was"
                            + " committed, commit smaller ones or use RecordCollection.load",
                    "bytes",
                    bytes,
                    "transactionBytesMax",
                    bytesMax);
        }
    }

    /** The write set of reads outside of transactions, which many threads may share: nothing is ever noted in it. */
    public static WriteSet none() {
        return new WriteSet(0, true);
    }

    /**
     * The time by which records have expired for this transaction, in milliseconds since 1970: the same one for all its
     * reads. Reads outside of transactions have one each.
     *
     * @param now asked by the first read that needs it
     */
    public long asOfMillis(LongSupplier now) {
        if (isEmptyForEver) {
            return now.getAsLong();
        }
        if (of != null) {
            return of.asOfMillis(now);
        }
        asOfMillis = asOfMillis == 0 ? now.getAsLong() : asOfMillis;
        return asOfMillis;
    }

    /** Notes that a record was read whose stamp is from the future: no stamp of this transaction will be newer. */
    public void readFromFuture(TreeId tree, Bytes key, Stamp stamp) {
        if (!isEmptyForEver) {
            fromFuture.put(new RecordName(tree, key), stamp.millis());
        }
    }

    /**
     * Checks that no record is overwritten of which the transaction has read a stamp from the future: the write would
     * be lost without a word.
     *
     * @throws UnavailableException if there is one; it may be written again when its time has come
     */
    public void requireNoneFromFuture() {
        fromFuture.forEach((name, millis) -> {
            if (find(name.tree, name.key) != null) {
                throw new UnavailableException(
                        ErrorCode.CLOCK_SKEW,
                        "a record that this transaction replaces has a stamp from the future, by a client whose clock"
                                + " was wrong; nothing was committed, it can be replaced from then on",
                        "tree",
                        name.tree,
                        "stamp",
                        Instant.ofEpochMilli(millis));
            }
        });
    }

    /** Puts an index entry, which expires with its record. */
    public void put(TreeId tree, Bytes key, Bytes payload, long expiryMillis) {
        put(tree, key, new Content(payload, false, expiryMillis), 0);
    }

    /** @param epoch the index epoch, see {@link LogRecord} */
    public void put(TreeId tree, Bytes key, Content content, long epoch) {
        RecordChange put =
                new RecordChange.Put(key, content.bytes(), content.isReference(), content.expiryMillis(), Stamp.ZERO);
        add(new LogRecord(tree, put, epoch));
    }

    /** Deletes an index entry. */
    public void delete(TreeId tree, Bytes key) {
        delete(tree, key, 0);
    }

    /** @param epoch the index epoch, see {@link LogRecord} */
    public void delete(TreeId tree, Bytes key, long epoch) {
        add(new LogRecord(tree, new RecordChange.Delete(key, Stamp.ZERO), epoch));
    }

    private void add(LogRecord given) {
        Bytes key = given.change().key();
        TreeMap<Bytes, LogRecord> writes = trees.computeIfAbsent(given.tree(), t -> new TreeMap<>());
        LogRecord before = writes.get(key);
        LogRecord write = before == null ? given : given.inPlaceOf(before);
        writes.put(key, write);
        count(before, write);
        Replaced last = new Replaced(write.tree(), key, before);
        if (marks > 0) {
            undo.add(last);
        }
        keep(last);
    }

    /** Keeps a replaced value as long as there is a view from before. */
    private void keep(Replaced last) {
        if (viewed && replaced.add(new RecordName(last.tree, last.key))) {
            link.value = last;
            link.next = new Link();
            link = link.next;
        }
    }

    private void count(@Nullable LogRecord gone, @Nullable LogRecord come) {
        bytes += (come == null ? 0 : come.change().bytes())
                - (gone == null ? 0 : gone.change().bytes());
        runBytes += runBytesMax(come) - runBytesMax(gone);
    }

    private static int runBytesMax(@Nullable LogRecord write) {
        return write == null
                ? 0
                : LogRecordCodec.sizeMax(
                        write.change().bytes(),
                        write.epoch() != 0,
                        write.change().expiryMillis() != Expiry.NEVER);
    }

    /** Begins a part of the transaction that can be taken back alone; {@link #release} ends it. */
    public int mark() {
        marks++;
        return undo.size();
    }

    /**
     * Ends the part that was begun last.
     *
     * @param mark the result of {@link #mark}
     * @param keep whether its writes stay
     */
    public void release(int mark, boolean keep) {
        while (!keep && undo.size() > mark) {
            takeBack(undo.removeLast());
        }
        marks--;
        if (marks == 0) {
            undo.clear();
        }
    }

    private void takeBack(Replaced last) {
        TreeMap<Bytes, LogRecord> writes = trees.computeIfAbsent(last.tree, made -> new TreeMap<>());
        LogRecord gone = writes.remove(last.key);
        count(gone, last.before);
        keep(new Replaced(last.tree, last.key, gone));
        if (last.before != null) {
            writes.put(last.key, last.before);
        } else if (writes.isEmpty()) {
            trees.remove(last.tree);
        }
    }

    /**
     * Adds what one call writes, or nothing of it.
     *
     * @param runBytesMax of the run of all log records, in the one object that a strict transaction is
     * @throws InvalidRequestException when the run of all log records is too large then
     */
    public void addAll(WriteSet call, long runBytesMax) {
        long next = runBytes;
        for (Map.Entry<TreeId, TreeMap<Bytes, LogRecord>> of : call.trees.entrySet()) {
            for (LogRecord write : of.getValue().values()) {
                next += runBytesMax(write)
                        - runBytesMax(writes(of.getKey()).get(write.change().key()));
            }
        }
        if (next > runBytesMax) {
            throw new InvalidRequestException(
                    ErrorCode.TOO_LARGE,
                    "a strict transaction is one object of a commit log, and would be too large for it; this call wrote"
                            + " nothing, commit what there is or divide the work among several transactions",
                    "bytes",
                    next,
                    "bytesMax",
                    runBytesMax);
        }
        call.trees.forEach((tree, writes) -> writes.values().forEach(this::add));
    }

    /** The write of {@code key}, or null when there is none. */
    public @Nullable RecordChange find(TreeId tree, Bytes key) {
        if (of != null) {
            Optional<LogRecord> before = then(tree).get(key);
            return before == null
                    ? of.find(tree, key)
                    : before.map(LogRecord::change).orElse(null);
        }
        LogRecord write = writes(tree).get(key);
        return write == null ? null : write.change();
    }

    private NavigableMap<Bytes, LogRecord> writes(TreeId tree) {
        if (of != null) {
            NavigableMap<Bytes, LogRecord> now = of.writes(tree);
            TreeMap<Bytes, Optional<LogRecord>> before = then(tree);
            return before.isEmpty() ? now : asBefore(now, before);
        }
        TreeMap<Bytes, LogRecord> writes = trees.get(tree);
        return writes == null ? Collections.emptyNavigableMap() : writes;
    }

    private static NavigableMap<Bytes, LogRecord> asBefore(
            NavigableMap<Bytes, LogRecord> now, TreeMap<Bytes, Optional<LogRecord>> before) {
        TreeMap<Bytes, LogRecord> writes = new TreeMap<>(now);
        before.forEach(
                (key, write) -> write.ifPresentOrElse(present -> writes.put(key, present), () -> writes.remove(key)));
        return writes;
    }

    /** The writes in a range of one tree, in key order, as they are now. */
    public Iterator<RecordChange> iterate(TreeId tree, KeyRange range, Direction direction) {
        NavigableMap<Bytes, LogRecord> writes = writes(tree);
        if (writes.isEmpty() || range.isEmpty()) {
            return Collections.emptyIterator();
        }
        Bytes to = range.to();
        NavigableMap<Bytes, LogRecord> part =
                to == null ? writes.tailMap(range.from(), true) : writes.subMap(range.from(), true, to, false);
        // A copy, since the transaction may write while it scans.
        return (direction == Direction.ASCENDING ? part : part.descendingMap())
                .values().stream().map(LogRecord::change).toList().iterator();
    }

    /** The keys of a tree whose writes have an epoch below this one. */
    public List<Bytes> writtenBefore(TreeId tree, long epoch) {
        return writes(tree).values().stream()
                .filter(write -> write.epoch() < epoch)
                .map(write -> write.change().key())
                .toList();
    }

    /** The trees that it writes to. */
    public Set<TreeId> trees() {
        return Collections.unmodifiableSet(trees.keySet());
    }

    public boolean isEmpty() {
        return trees.isEmpty();
    }

    /** Returns the bytes of all keys and payloads, counted as {@link StampedTransaction#bytes} does. */
    public long bytes() {
        return bytes;
    }

    /** All writes as log records, sorted by tree and key. */
    public List<LogRecord> stamped(Stamp stamp) {
        List<LogRecord> records = new ArrayList<>();
        trees.forEach((tree, writes) -> writes.values()
                .forEach(write -> records.add(new LogRecord(tree, write.change().stamped(stamp), write.epoch()))));
        return records;
    }
}
