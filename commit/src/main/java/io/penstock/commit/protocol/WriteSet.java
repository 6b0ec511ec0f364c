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
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
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

    /** The values that writes, or taking them back, have replaced since the first mark or view, in order. */
    private final List<Replaced> replaced = new ArrayList<>();

    private int marks;
    private boolean viewed;

    /** The write set that this is a view of; null for none. */
    private final @Nullable WriteSet of;

    /** Of a view: what was there then, of all that was replaced in {@link #of} up to {@link #seen}. */
    private final Map<TreeId, TreeMap<Bytes, Optional<LogRecord>>> then = new HashMap<>();

    private int seen;
    private long bytes;
    private long runBytes;
    private long asOfMillis;

    /** The name of a record. */
    private record RecordName(TreeId tree, Bytes key) {}

    /** The log record that a write replaced; null for none. */
    private record Replaced(
            TreeId tree, Bytes key, @Nullable LogRecord before) {}

    /** @param bytesMax of keys and payloads */
    public WriteSet(long bytesMax) {
        this(bytesMax, false);
    }

    private WriteSet(long bytesMax, boolean isEmptyForEver) {
        this.bytesMax = bytesMax;
        this.isEmptyForEver = isEmptyForEver;
        this.fromFuture = new HashMap<>();
        this.of = null;
    }

    private WriteSet(WriteSet of) {
        this.bytesMax = of.bytesMax;
        this.isEmptyForEver = false;
        this.fromFuture = of.fromFuture;
        this.of = of;
        this.seen = of.replaced.size();
    }

    /** The writes as they are now, for one scan: a transaction may write while it scans. Notes go to both. */
    public WriteSet view() {
        if (isEmptyForEver) {
            return this;
        }
        viewed = true;
        return new WriteSet(this);
    }

    /** Of a view: what was there then, of a tree's writes that were replaced since. */
    private TreeMap<Bytes, Optional<LogRecord>> then(WriteSet now, TreeId tree) {
        for (; seen < now.replaced.size(); seen++) {
            Replaced next = now.replaced.get(seen);
            then.computeIfAbsent(next.tree, made -> new TreeMap<>())
                    .putIfAbsent(next.key, Optional.ofNullable(next.before));
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
        if (marks > 0 || viewed) {
            replaced.add(new Replaced(write.tree(), key, before));
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
        return replaced.size();
    }

    /**
     * Ends the part that was begun last.
     *
     * @param mark the result of {@link #mark}
     * @param keep whether its writes stay
     */
    public void release(int mark, boolean keep) {
        for (int i = replaced.size() - 1; !keep && i >= mark; i--) {
            takeBack(replaced.get(i));
        }
        marks--;
        if (marks == 0 && !viewed) {
            replaced.clear();
        }
    }

    private void takeBack(Replaced last) {
        TreeMap<Bytes, LogRecord> writes = trees.computeIfAbsent(last.tree, made -> new TreeMap<>());
        LogRecord gone = writes.remove(last.key);
        count(gone, last.before);
        replaced.add(new Replaced(last.tree, last.key, gone));
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
            Optional<LogRecord> before = then(of, tree).get(key);
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
            TreeMap<Bytes, Optional<LogRecord>> before = then(of, tree);
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
