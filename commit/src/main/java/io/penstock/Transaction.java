package io.penstock;

import io.penstock.commit.domain.Limits;
import io.penstock.commit.engine.LargePayloads;
import io.penstock.commit.engine.SessionParts;
import io.penstock.commit.engine.StoreState;
import io.penstock.commit.protocol.WriteSet;
import io.penstock.commit.query.Progress;
import io.penstock.commit.settings.Bounds;
import io.penstock.core.Bytes;
import io.penstock.core.ClosedException;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.Stamp;
import io.penstock.core.overflow.ByteRange;
import io.penstock.core.record.Content;
import io.penstock.query.Condition;
import io.penstock.query.Query;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A transaction: reads, and writes that take effect together at {@link #commit}, as far as the level promises it. It
 * sees its own writes. Below SNAPSHOT transactions are not isolated: two that read a record and write it back may both
 * commit, and the newer stamp wins.
 *
 * <pre>{@code
 * try (Transaction transaction = store.begin()) {
 *     int stock = transaction.get(books, "1").orElseThrow().stock();
 *     transaction.put(books, "1", new Book("Dams", stock - 1));
 *     transaction.commit();
 * }
 * }</pre>
 *
 * <p>For one thread. Every method throws {@link ClosedException} after commit, abort or close, and may throw {@link
 * io.penstock.core.UnavailableException} and {@link io.penstock.core.CorruptDataException} from reading.
 */
public final class Transaction implements AutoCloseable {
    private final Current current;
    private final ChosenIsolation isolation;
    private final StoreState handle;
    private final WriteSet writes;
    private final Reads reads;
    private final LargePayloads large;
    private final GivenIds ids = new GivenIds(this);
    private final Ending ending = new Ending();
    private final WatchedReads watched;
    private boolean readOnly;

    /** Whether nothing can be done any more: by {@link #commit} or {@link #abort}, or until a joined body ends. */
    private boolean over;

    /** Whether the level has had its say on what was read, or has it as the commit goes on. */
    private boolean decided;

    /** The bodies that are run as a part of another one's transaction. */
    private int joined;

    /** @param readOnly whether writes are refused */
    Transaction(StoreLevel store, Current current, ChosenIsolation isolation, SessionParts parts, boolean readOnly) {
        this.watched = new WatchedReads(store);
        this.current = current;
        this.isolation = isolation;
        this.handle = parts.handle();
        this.readOnly = readOnly;
        this.writes = new WriteSet(parts.bytesMax());
        this.reads = new Reads(isolation::reader, writes, parts.reads(level().name()));
        this.large = new LargePayloads(parts.payloads());
    }

    /**
     * The level that its commit promises. Where neither the transaction nor the store was given one, the first
     * collection that it uses decides.
     */
    public ConsistencyLevel level() {
        return isolation.level();
    }

    /** One record, or empty when there is none. */
    public <K, V> Optional<V> get(RecordCollection<K, V> collection, K key) {
        requireActive(collection);
        Optional<V> found = reads.get(collection, key);
        watched.read(collection, key, level());
        return found;
    }

    /**
     * Reads many records by their keys, in the order of {@code keys}; those that are not there are left out. Each page
     * is read once, several at a time.
     */
    public <K, V> Map<K, V> getAll(RecordCollection<K, V> collection, Collection<K> keys) {
        requireActive(collection);
        return reads.getAll(collection, keys);
    }

    /**
     * Writes one record, replacing what was there. With secondary indexes it reads the record that it replaces.
     *
     * <p>A payload above a quarter of a page, or above what fits into a message, is written to an object of its own at
     * once. If the transaction is never committed, garbage collection removes the object after a month.
     *
     * <p>A put that throws has written nothing: the transaction is as it was, and may go on.
     *
     * @throws io.penstock.core.DuplicateException when another record has a search key of a unique index
     * @throws InvalidRequestException when the key or the value is null, the key is empty or longer than {@link
     *     Settings#KEY_BYTES_MAX} (or an eighth of a page), the payload has more than {@link
     *     RecordCollection#PAYLOAD_BYTES_MAX}, or the transaction is larger than {@link
     *     Settings.Advanced#transactionBytesMax} already, or would have more than 4 MiB at SNAPSHOT and SERIALIZABLE
     */
    public <K, V> void put(RecordCollection<K, V> collection, K key, V value) {
        V unused = store(collection, key, value);
    }

    /** Puts a value under its own key, and returns it as it is stored; see {@link RecordCollection#put(Object)}. */
    public <K, V> V put(RecordCollection<K, V> collection, V value) {
        return put(collection, collection.requireKey(value), value, collection.expiryMillis(value));
    }

    /** Removes the record of a value; see {@link RecordCollection#remove}. */
    public <K, V> void remove(RecordCollection<K, V> collection, V value) {
        K key = collection.requireKey(value);
        Versions<V> versions = collection.versions();
        if (versions != null) {
            requireIsolated(collection);
            versions.require(collection.name(), before(collection, collection.encode(key), () -> {}), value);
        }
        delete(collection, key);
    }

    /** Puts a record, and returns its value as it is stored. */
    <K, V> V store(RecordCollection<K, V> collection, K key, V value) {
        collection.requireOwn(key, value);
        return put(collection, key, value, collection.expiryMillis(value));
    }

    /**
     * Puts a record that expires after a time of its own, counted from now, instead of the collection's. Otherwise like
     * {@link #put(RecordCollection, Object, Object)}.
     *
     * @param timeToLive a millisecond to a hundred years
     */
    public <K, V> void put(RecordCollection<K, V> collection, K key, V value, Duration timeToLive) {
        collection.requireOwn(key, value);
        V unused = put(
                collection,
                key,
                value,
                TimeToLive.endMillis(collection.parts(), Bounds.requirePresent("timeToLive", timeToLive)));
    }

    private <K, V> V put(RecordCollection<K, V> collection, K key, V given, long expiryMillis) {
        requireWritable(collection);
        watched.write(collection, key, level());
        KeptIndexes<K, V> kept = collection.kept();
        kept.requireUnique(collection.indexes());
        Bytes keyBytes = collection.encode(key);
        V value = versioned(collection, keyBytes, given);
        Bytes payload = collection.payloads().encode(value);
        LargePayloads.requireFits(kept.definition(), payload);
        List<KeptIndexes.KeptEntry> fresh = kept.entries(keyBytes, value);
        fresh.forEach(entry -> collection.facts().requireEntryKey(entry.key()));
        // All that can fail comes before the first write: a put that failed leaves nothing in the transaction.
        List<KeptIndexes.KeptEntry> stale = stale(collection, kept, keyBytes);
        fresh.forEach(entry -> new UniqueKeys(reads, isolation).require(collection, kept, entry, keyBytes));
        Content content = large.place(kept.definition(), keyBytes, payload, expiryMillis);
        WriteSet call = new WriteSet(Long.MAX_VALUE);
        stale.forEach(entry -> call.delete(entry.tree(), entry.key()));
        fresh.forEach(entry -> call.put(entry.tree(), entry.key(), entry.included(), expiryMillis));
        call.put(collection.tree(), keyBytes, content, kept.epoch());
        add(call);
        return value;
    }

    /** A value with the version that its record gets. */
    private <K, V> V versioned(RecordCollection<K, V> collection, Bytes key, V value) {
        Versions<V> versions = collection.versions();
        if (versions == null || value == null) {
            return value;
        }
        requireIsolated(collection);
        return versions.next(collection.name(), before(collection, key, () -> {}), value);
    }

    /** A value with the version of the record that it is to replace, whatever that is. */
    <K, V> V versionedAsStored(RecordCollection<K, V> collection, K key, V value) {
        Versions<V> versions = collection.versions();
        return versions == null
                ? value
                : versions.asStored(before(collection, collection.encode(key), () -> {}), value);
    }

    /** The record that is there; empty when there is none that can be read: damaged, foreign, or of a forgotten key. */
    private <K, V> Optional<V> before(RecordCollection<K, V> collection, Bytes key, Runnable unread) {
        try {
            return reads.get(collection, key);
        } catch (CorruptDataException | InvalidRequestException unreadable) {
            if (unreadable instanceof InvalidRequestException refused && refused.code() != ErrorCode.NO_KEY) {
                throw refused;
            }
            var unused = reads.content(collection, key); // throws if it is the page that is damaged
            unread.run();
            return Optional.empty();
        }
    }

    /**
     * Puts a record with the payload from a stream, which is read to its end and not closed: of a large payload no more
     * than a few parts are in memory. The bytes must decode with the collection's codec. A body opens the stream
     * itself, since it may run again.
     *
     * @throws InvalidRequestException as {@link #put}; or when the collection has secondary indexes, or declares key,
     *     version or expiry of its values, or seals them: these need the whole value
     * @throws java.io.UncheckedIOException when the stream fails; nothing is written then
     */
    public <K> void putStream(RecordCollection<K, ?> collection, K key, InputStream payload) {
        requireWritable(collection);
        KeptIndexes<K, ?> kept = keptWithoutValue(collection);
        Bytes keyBytes = collection.encode(key);
        put(collection, keyBytes, large.place(kept.definition(), keyBytes, payload, collection.expiryMillis()), kept);
    }

    /**
     * Appends bytes to the payload of a record, which must be there, and keeps its expiry. At SNAPSHOT and
     * SERIALIZABLE a large payload is not written again: a few bytes go into the record, more into an object of their
     * own, and only when these have become many, some are joined. At other levels nothing keeps the old payload from
     * being removed, so the whole is written anew, and of two appends at one time one may be lost. The bytes must
     * decode with the collection's codec.
     *
     * @throws InvalidRequestException as {@link #putStream}; or when there is no such record
     */
    public <K> void append(RecordCollection<K, ?> collection, K key, Bytes more) {
        requireWritable(collection);
        watched.write(collection, key, level());
        KeptIndexes<K, ?> kept = keptWithoutValue(collection);
        Bytes keyBytes = collection.encode(key);
        Reads.CheckedPayloads.requireNotNull(collection.name(), "payload", more);
        Content before = reads.content(collection, keyBytes)
                .orElseThrow(() -> new InvalidRequestException(
                        "there is no record to append to; put it first", "collection", collection.name()));
        LargePayloads.Before payload =
                new LargePayloads.Before(before, level().isolates(), range -> reads.open(collection, keyBytes, range));
        put(collection, keyBytes, large.append(kept.definition(), keyBytes, payload, more), kept);
    }

    /**
     * The indexes of a collection that has none.
     *
     * @throws InvalidRequestException when there is one, or something else that is made from the value
     */
    private static <K> KeptIndexes<K, ?> keptWithoutValue(RecordCollection<K, ?> collection) {
        KeptIndexes<K, ?> kept = collection.kept();
        if (!kept.trees().isEmpty() || collection.looksAtValues()) {
            throw new InvalidRequestException(
                    "indexes, versions, expiry, seals and the key in a value are of the whole value; put it whole",
                    "collection",
                    collection.name());
        }
        return kept;
    }

    private <K> void put(RecordCollection<K, ?> collection, Bytes key, Content content, KeptIndexes<K, ?> kept) {
        WriteSet call = new WriteSet(Long.MAX_VALUE);
        call.put(collection.tree(), key, content, kept.epoch());
        add(call);
    }

    /**
     * The payload of a record as a stream, or empty when there is no record. A large one is read range by range; if it
     * is replaced or deleted meanwhile, reading throws {@link io.penstock.core.ConflictException}.
     */
    public <K> Optional<InputStream> open(RecordCollection<K, ?> collection, K key) {
        requireActive(collection);
        return reads.open(collection, collection.encode(key), ByteRange.ALL);
    }

    /**
     * A part of the payload of a record as a stream, which reads and checks of a large one the blocks of 16 KiB that
     * have it; otherwise like {@link #open(RecordCollection, Object)}.
     *
     * @param offset of its first byte
     * @param length in bytes
     * @throws InvalidRequestException when either is negative, or the part does not lie within the payload
     */
    public <K> Optional<InputStream> open(RecordCollection<K, ?> collection, K key, long offset, long length) {
        ByteRange range = ByteRange.of(offset, length);
        requireActive(collection);
        return reads.open(collection, collection.encode(key), range);
    }

    /** The size of the payload of a record, in bytes, or empty when there is no record. A large one is not read. */
    public <K> OptionalLong payloadBytes(RecordCollection<K, ?> collection, K key) {
        requireActive(collection);
        return reads.payloadBytes(collection, key);
    }

    /** Removes one record; nothing happens when there is none. */
    public <K, V> void delete(RecordCollection<K, V> collection, K key) {
        requireWritable(collection);
        KeptIndexes<K, V> kept = collection.kept();
        Bytes keyBytes = collection.encode(key);
        List<KeptIndexes.KeptEntry> stale = stale(collection, kept, keyBytes);
        WriteSet call = new WriteSet(Long.MAX_VALUE);
        stale.forEach(entry -> call.delete(entry.tree(), entry.key()));
        call.delete(collection.tree(), keyBytes, kept.epoch());
        add(call);
    }

    /** Adds what one call writes, or nothing of it. */
    private void add(WriteSet call) {
        writes.addAll(call, level().isolates() ? Limits.RUN_BYTES_MAX : Long.MAX_VALUE);
    }

    /** The entries of a record that is to be replaced or deleted; those of an unreadable one stay until a scrub. */
    private <K, V> List<KeptIndexes.KeptEntry> stale(
            RecordCollection<K, V> collection, KeptIndexes<K, V> kept, Bytes keyBytes) {
        if (kept.trees().isEmpty()) {
            return List.of();
        }
        return before(collection, keyBytes, collection.declaration()::requireNoRows)
                .map(record -> kept.entries(keyBytes, record))
                .orElse(List.of());
    }

    /** Whether there is a record, also one that cannot be read. */
    <K> boolean isThere(RecordCollection<K, ?> collection, K key) {
        requireActive(collection);
        return reads.content(collection, collection.encode(key)).isPresent();
    }

    /** The records of a span of keys. As all scans and queries, it sees what was written here before it was opened. */
    public <K, V> Scan<Entry<K, V>> scan(RecordCollection<K, V> collection, KeySpan<? super K> span) {
        requireActive(collection);
        return reads.view().scan(collection, span);
    }

    /**
     * The records that fulfil a condition, found by the way that costs least: key ranges, indexes, summaries or all
     * pages. At SERIALIZABLE the commit validates all that the answer depends on, also what was not read.
     *
     * @throws InvalidRequestException when the condition has a field that is not declared by the collection, or the
     *     function of a field throws
     */
    public <K, V> Scan<Entry<K, V>> find(RecordCollection<K, V> collection, Condition condition) {
        requireActive(collection);
        return new QueryReader<>(collection, reads.view(), collection.progress()).find(condition);
    }

    /** The rows of a query, found as by {@link #find}. */
    public Rows query(RecordCollection<?, ?> collection, Query query) {
        requireActive(collection);
        Progress progress = collection.progress();
        return new Rows(new QueryReader<>(collection, reads.view(), progress).rows(query), progress);
    }

    /** The records with this search key, in the order of their primary keys. */
    public <I, K, V> Scan<Entry<K, V>> scan(Index<I, K, V> index, I searchKey) {
        requireActive(index.collection());
        return new IndexReader<>(index, reads.view()).scan(searchKey);
    }

    /** The records of a span of search keys, in the order of these. */
    public <I, K, V> Scan<Entry<K, V>> scan(Index<I, K, V> index, KeySpan<? super I> span) {
        requireActive(index.collection());
        return new IndexReader<>(index, reads.view()).scan(span);
    }

    /** The rows with this search key, in the order of their primary keys. */
    public <I, K, V, P> Scan<Entry<K, P>> scan(CoveringIndex<I, K, V, P> index, I searchKey) {
        requireActive(index.index().collection());
        return new IndexReader<>(index.index(), reads.view()).scan(index, searchKey);
    }

    /** The rows of a span of search keys, in the order of these. */
    public <I, K, V, P> Scan<Entry<K, P>> scan(CoveringIndex<I, K, V, P> index, KeySpan<? super I> span) {
        requireActive(index.index().collection());
        return new IndexReader<>(index.index(), reads.view()).scan(index, span);
    }

    /**
     * Commits. Returns when the level's promise holds for all writes. After an {@link
     * io.penstock.core.UnavailableException} or a conflict a new transaction may try again. An interrupt does not cut
     * it short: it returns when the outcome is known, and leaves the thread interrupted.
     *
     * @return the stamp of all its log records; {@link Stamp#ZERO} when there were no writes
     * @throws InvalidRequestException when the store was opened to be read only, or the transaction is larger than
     *     {@link Settings.Advanced#transactionBytesMax}; nothing was committed
     * @throws io.penstock.core.UnavailableException when nothing was committed; at NAIVE, perhaps a part of it
     * @throws io.penstock.core.OutcomeUnknownException when it may be committed or, below ATOMIC, a part of it
     * @throws io.penstock.core.ConflictException at SNAPSHOT and SERIALIZABLE, when another transaction was first; at
     *     NAIVE, when others kept changing its pages; at all, when a collection moved or a large payload is a day old
     */
    public Stamp commit() {
        requireActive();
        if (joined > 0) {
            throw new InvalidRequestException(
                    ErrorCode.TRANSACTION_MISUSE,
                    "this body is a part of the transaction of another one, which commits it; leave that to it");
        }
        return ending.commit(this::commitAlone);
    }

    private Stamp commitAlone() {
        ids.noteAll();
        over = true;
        try {
            if (writes.isEmpty()) {
                decided = true;
                return isolation.commit(writes);
            }
            handle.requireWritable();
            writes.requireSize();
            large.requireYoung();
            decided = true;
            return handle.whileOpen(() -> isolation.commit(writes));
        } finally {
            isolation.close();
        }
    }

    /**
     * Makes sure that what the transaction has read is still true, as far as its level promises that, unless a commit
     * has seen to it.
     *
     * @throws io.penstock.core.ConflictException when it is not
     */
    void confirm() {
        if (!decided) {
            isolation.confirm();
        }
    }

    /**
     * Forgets all writes. The transaction is over. In a body that is run within the body of another one ({@link
     * Session#transact}) only the writes of the inner one are forgotten.
     */
    public void abort() {
        over = true;
        if (joined == 0) {
            isolation.close();
            ending.abort();
        }
    }

    /** Ends a transaction that has only read, and is not over, as a success. */
    void endRead() {
        var unused = ending.commit(() -> {
            abort();
            return Stamp.ZERO;
        });
    }

    /**
     * Sets what a framework does at the end of this transaction, once, on the thread that ends it.
     *
     * @param commit is given the commit, and makes it or throws
     * @param abort runs after an abort that no commit came before
     */
    public void endBy(Function<Supplier<Stamp>, Stamp> commit, Runnable abort) {
        ending.set(commit, abort);
    }

    /**
     * Runs the body of another transaction as a part of this one. Its writes are dropped when it throws or aborts.
     *
     * @param least that it asks for; null: any
     * @param reading whether it must not write
     */
    <T> T join(@Nullable ConsistencyLevel least, boolean reading, TransactionBody<T> body) {
        requireActive();
        if (least != null) {
            isolation.require(least);
        }
        boolean before = readOnly;
        int mark = writes.mark();
        boolean keep = false;
        joined++;
        readOnly |= reading;
        try {
            T result = call(body);
            keep = !over;
            return result;
        } finally {
            writes.release(mark, keep);
            readOnly = before;
            joined--;
            over = false;
        }
    }

    /** @param streams those that earlier runs have read, and this one adds to */
    void knowSpent(List<WeakReference<InputStream>> streams) {
        large.knowSpent(streams);
    }

    /** Runs a body in this transaction. */
    <T> T call(TransactionBody<T> body) {
        try {
            return body.run(this);
        } catch (RuntimeException unchecked) {
            throw unchecked;
        } catch (Exception checked) {
            throw BodyException.of(checked);
        }
    }

    /** Runs a body with an id; see {@link Session#transact(String, TransactionBody)}. */
    <T> Optional<T> run(String id, TransactionBody<T> body) {
        return ids.run(id, body);
    }

    /** The reads of a collection's own methods, as a part of this transaction. */
    Reads reads(RecordCollection<?, ?> collection) {
        requireActive(collection);
        return reads;
    }

    /** @throws InvalidRequestException when it does not isolate what it does with a collection */
    void requireIsolated(RecordCollection<?, ?> collection) {
        isolation.require(ConsistencyLevel.SNAPSHOT);
        requireActive(collection);
    }

    /**
     * Binds this transaction to the calling thread, as if the thread ran the body of {@link Session#transact}: methods
     * of collections and {@code transact} take part in it there, until {@link #unbind} or the end of the transaction.
     * For frameworks that begin and end transactions around methods.
     */
    public void bind() {
        requireActive();
        current.enter(this);
    }

    /** Ends the effect of {@link #bind} on this thread, which is in its former transaction again, if any. */
    public void unbind() {
        current.leave(this);
    }

    /** Aborts, unless it was committed. */
    @Override
    public void close() {
        abort();
    }

    private void requireActive(RecordCollection<?, ?> collection) {
        enter(collection, false);
    }

    private void requireWritable(RecordCollection<?, ?> collection) {
        if (readOnly) {
            throw new InvalidRequestException(
                    ErrorCode.READ_ONLY,
                    "the transaction only reads; write in one of Penstock.transact",
                    "collection",
                    collection.name());
        }
        enter(collection, true);
        writes.requireSize();
    }

    private void enter(RecordCollection<?, ?> collection, boolean writing) {
        requireActive();
        if (collection.parts().handle() != handle) {
            throw new InvalidRequestException(
                    ErrorCode.TRANSACTION_MISUSE,
                    "the collection was opened from another store handle; open it from this one",
                    "collection",
                    collection.name());
        }
        isolation.enter(collection.declaration().definition(), writing);
        ids.look(collection);
    }

    /** Whether it was committed or aborted. */
    boolean isOver() {
        return over;
    }

    /** Whether it is over for good, and not only until a joined body ends. */
    boolean isEnded() {
        return over && joined == 0;
    }

    private void requireActive() {
        handle.requireOpen();
        if (over) {
            throw new ClosedException("the transaction is over; begin another");
        }
    }
}
