package io.penstock;

import io.penstock.commit.catalog.CollectionDefinition.IndexDefinition;
import io.penstock.commit.protocol.Committed;
import io.penstock.commit.protocol.WriteSet;
import io.penstock.commit.session.KeyScan;
import io.penstock.commit.session.LayeredReader;
import io.penstock.commit.session.LayeredScan;
import io.penstock.core.Bytes;
import io.penstock.core.ClosedException;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.Stamp;
import io.penstock.core.StoreException;
import io.penstock.core.TreeId;
import io.penstock.core.record.Direction;
import io.penstock.core.record.KeyRange;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads, and writes that take effect together at {@link #commit}, as far as the level promises it. A transaction sees
 * its own writes. At no level there is so far does it keep others out: two transactions that read a record and write it
 * back may both commit, and the newer stamp wins.
 *
 * <p>For one thread. Every method throws {@link ClosedException} after commit, abort or close, and may throw {@link
 * io.penstock.core.UnavailableException} and {@link io.penstock.core.CorruptDataException} from reading.
 */
public final class Transaction implements AutoCloseable {
    /** Keys of records whose index entries are pending that are read at a time. */
    private static final int PENDING_BATCH = 256;

    private final Engine engine;
    private final Session session;
    private final ConsistencyLevel level;
    private final LayeredReader reader;
    private final WriteSet writes = new WriteSet();
    private final LargePayloads large;
    private boolean over;

    Transaction(Engine engine, Session session, ConsistencyLevel level, LayeredReader reader) {
        this.engine = engine;
        this.session = session;
        this.level = level;
        this.reader = reader;
        this.large = new LargePayloads(engine);
    }

    public ConsistencyLevel level() {
        return level;
    }

    /** One record, or empty when there is none. */
    public <K, V> Optional<V> get(RecordCollection<K, V> collection, K key) {
        requireActive(collection);
        Bytes bytes = collection.encode(key);
        return reader.find(collection.tree(), bytes, writes)
                .map(payload -> collection.payloads().decode(payload));
    }

    /**
     * Many records by their keys, in the order of {@code keys}; those that are not there are left out. Each page is
     * read once, several at a time.
     */
    public <K, V> Map<K, V> getAll(RecordCollection<K, V> collection, java.util.Collection<K> keys) {
        requireActive(collection);
        List<K> distinct = keys.stream().distinct().toList();
        List<Bytes> bytes = distinct.stream().map(key -> collection.encode(key)).toList();
        List<Supplier<Optional<Bytes>>> payloads = reader.findAll(collection.tree(), bytes, writes);
        Map<K, V> found = new LinkedHashMap<>();
        for (int i = 0; i < distinct.size(); i++) {
            K key = distinct.get(i);
            payloads.get(i)
                    .get()
                    .ifPresent(payload -> found.put(key, collection.payloads().decode(payload)));
        }
        return found;
    }

    /**
     * Writes one record, replacing what was there. With secondary indexes it reads the record that it replaces.
     *
     * <p>A payload above a quarter of a page, or above what fits into a message, is written to an object of its own at
     * once; one that is not committed then is removed by garbage collection, after a month.
     *
     * @throws InvalidRequestException when the key is empty or longer than {@link Settings#KEY_BYTES_MAX} (or an eighth
     *     of a page), or the payload has more than {@link RecordCollection#PAYLOAD_BYTES_MAX}
     */
    public <K, V> void put(RecordCollection<K, V> collection, K key, V value) {
        requireActive(collection);
        KeptIndexes<K, V> kept = collection.kept();
        Bytes keyBytes = collection.encode(key);
        Bytes payload = collection.payloads().encode(value);
        LargePayloads.requireFits(collection, payload);
        List<IndexWrite> entries = new ArrayList<>();
        for (KeptIndexes.Kept<K, V> index : kept.trees()) {
            index.index().entryKey(keyBytes, value).ifPresent(entry -> {
                collection.requireIndexKey(entry);
                entries.add(new IndexWrite(index.tree(), entry));
            });
        }
        deleteIndexEntries(collection, kept, keyBytes);
        entries.forEach(entry -> writes.put(entry.tree, entry.key, Bytes.EMPTY));
        large.place(collection, keyBytes, payload).into(writes, collection.tree(), keyBytes, kept.epoch());
    }

    /**
     * As {@link #put}, with the payload from a stream, which is read to its end and not closed: of a large payload no
     * more than a few parts are in memory. A payload that its codec can decode, it must be.
     *
     * @throws InvalidRequestException as {@link #put}; or when the collection has secondary indexes, whose entries need
     *     the value
     * @throws java.io.UncheckedIOException when the stream fails; nothing is written then
     */
    public <K> void putStream(RecordCollection<K, ?> collection, K key, InputStream payload) {
        requireActive(collection);
        KeptIndexes<K, ?> kept = collection.kept();
        if (!kept.trees().isEmpty()) {
            throw new InvalidRequestException(
                    "entries of indexes are made from the whole value; put it whole", "collection", collection.name());
        }
        Bytes keyBytes = collection.encode(key);
        large.place(collection, keyBytes, payload).into(writes, collection.tree(), keyBytes, kept.epoch());
    }

    /**
     * The payload of a record as a stream, or empty when there is no record. A large one is read range by range; if it
     * is replaced or deleted meanwhile, reading throws {@link io.penstock.core.ConflictException}.
     */
    public <K> Optional<InputStream> open(RecordCollection<K, ?> collection, K key) {
        requireActive(collection);
        return reader.open(collection.tree(), collection.encode(key), writes);
    }

    private record IndexWrite(TreeId tree, Bytes key) {}

    /** Removes one record; nothing happens when there is none. */
    public <K, V> void delete(RecordCollection<K, V> collection, K key) {
        requireActive(collection);
        KeptIndexes<K, V> kept = collection.kept();
        Bytes keyBytes = collection.encode(key);
        deleteIndexEntries(collection, kept, keyBytes);
        writes.delete(collection.tree(), keyBytes);
    }

    /** Deletes the index entries of the record as this transaction sees it. A put then writes again those that stay. */
    private <K, V> void deleteIndexEntries(RecordCollection<K, V> collection, KeptIndexes<K, V> kept, Bytes keyBytes) {
        if (kept.trees().isEmpty()) {
            return;
        }
        Optional<V> before = reader.find(collection.tree(), keyBytes, writes)
                .map(payload -> collection.payloads().decode(payload));
        for (KeptIndexes.Kept<K, V> index : kept.trees()) {
            before.flatMap(value -> index.index().entryKey(keyBytes, value))
                    .ifPresent(entry -> writes.delete(index.tree(), entry));
        }
    }

    /** The records of a span of keys. */
    public <K, V> Scan<Entry<K, V>> scan(RecordCollection<K, V> collection, KeySpan<K> span) {
        requireActive(collection);
        KeyRange range = resumed(range(collection.keys(), span), collection.tree(), span);
        LayeredScan found = scan(collection.tree(), range, span);
        return new RecordsScan<>(
                found, collection, span, (key, reference) -> reader.large(collection.tree(), key, reference, writes));
    }

    /** The records with this search key, in the order of their primary keys. */
    public <I, K, V> Scan<Entry<K, V>> scan(Index<I, K, V> index, I searchKey) {
        requireActive(index.collection());
        Bytes prefix = CompositeKey.prefix(index.searchKeys().encode(searchKey));
        return scan(index, KeyRange.prefix(prefix), KeySpan.all());
    }

    /** The records of a span of search keys, in the order of these. */
    public <I, K, V> Scan<Entry<K, V>> scan(Index<I, K, V> index, KeySpan<I> span) {
        requireActive(index.collection());
        return scan(index, indexRange(index.searchKeys(), span), span);
    }

    private static <I> KeyRange indexRange(KeyCodec<I> searchKeys, KeySpan<I> span) {
        I from = span.from();
        I to = span.to();
        if (from != null && span.prefixed()) {
            return KeyRange.prefix(CompositeKey.escape(searchKeys.encode(from)));
        }
        Bytes first = from == null ? Bytes.EMPTY : CompositeKey.prefix(searchKeys.encode(from));
        return new KeyRange(first, to == null ? null : CompositeKey.prefix(searchKeys.encode(to)));
    }

    private <I, K, V> Scan<Entry<K, V>> scan(Index<I, K, V> index, KeyRange range, KeySpan<?> span) {
        IndexDefinition stored = index.ready();
        TreeId tree = stored.treeId();
        KeyRange left = resumed(range, tree, span);
        // What is pending first: a scrub writes an entry before it takes the record out of what is pending.
        SortedSet<Bytes> pending =
                stored.pendingTree().map(keys -> pending(index, keys, left)).orElseGet(Collections::emptySortedSet);
        KeyScan found = scan(tree, left, span).keys();
        KeyScan all = pending.isEmpty() ? found : new WithPending(found, pending, direction(span));
        return new IndexScan<>(all, tree, span, entries -> records(index, entries));
    }

    private LayeredScan scan(TreeId tree, KeyRange range, KeySpan<?> span) {
        LayeredScan found = reader.scan(tree, range, direction(span), writes);
        if (span.limit() > 0) {
            found.expect(span.limit());
        }
        return found;
    }

    /** The entries in a range that records have whose writers did not know the index. */
    private <I, K, V> SortedSet<Bytes> pending(Index<I, K, V> index, TreeId pendingKeys, KeyRange range) {
        RecordCollection<K, V> collection = index.collection();
        SortedSet<Bytes> entries = new TreeSet<>();
        try (KeyScan pending = reader.scan(pendingKeys, KeyRange.all(), Direction.ASCENDING, writes)
                .keys()) {
            while (pending.hasNext()) {
                List<Bytes> keys = new ArrayList<>();
                while (keys.size() < PENDING_BATCH && pending.hasNext()) {
                    keys.add(pending.next());
                }
                List<Supplier<Optional<Bytes>>> payloads = reader.findAll(collection.tree(), keys, writes);
                for (int i = 0; i < keys.size(); i++) {
                    Bytes key = keys.get(i);
                    payloads.get(i)
                            .get()
                            .flatMap(payload -> index.entryOf(key, payload))
                            .filter(range::contains)
                            .ifPresent(entries::add);
                }
            }
        }
        return entries;
    }

    /** The records of index entries; empty where the entry does not fit its record any more. */
    private <I, K, V> List<Supplier<Optional<Entry<K, V>>>> records(Index<I, K, V> index, List<Bytes> entries) {
        RecordCollection<K, V> collection = index.collection();
        List<Bytes> keys = entries.stream()
                .map(entry -> CompositeKey.split(entry).second())
                .toList();
        List<Supplier<Optional<Bytes>>> payloads = reader.findAll(collection.tree(), keys, writes);
        List<Supplier<Optional<Entry<K, V>>>> found = new ArrayList<>(keys.size());
        for (int i = 0; i < keys.size(); i++) {
            Bytes key = keys.get(i);
            Bytes entryKey = entries.get(i);
            Supplier<Optional<Bytes>> record = payloads.get(i);
            found.add(() -> record.get()
                    .map(payload -> collection.entry(key, payload))
                    .filter(entry -> index.entryKey(key, entry.value())
                            .filter(entryKey::equals)
                            .isPresent()));
        }
        return found;
    }

    /** What is left of a range behind the token that a span may have. */
    private static KeyRange resumed(KeyRange range, TreeId tree, KeySpan<?> span) {
        String token = span.after();
        if (token == null) {
            return range;
        }
        Bytes last = ResumeToken.decode(tree, token);
        Bytes next = KeyRange.after(last);
        if (span.descending()) {
            Bytes to = range.to();
            return new KeyRange(range.from(), to == null || last.compareTo(to) < 0 ? last : to);
        }
        return new KeyRange(next.compareTo(range.from()) > 0 ? next : range.from(), range.to());
    }

    /**
     * Commits. Returns when the level's promise holds for all writes; what failed for certain may be tried again, as a
     * new transaction.
     *
     * @return the stamp of all its log records; {@link Stamp#ZERO} when there were no writes
     * @throws InvalidRequestException when the store was opened to be read only
     * @throws io.penstock.core.UnavailableException when nothing was committed; at NAIVE, perhaps a part of it
     * @throws io.penstock.core.OutcomeUnknownException when it may be committed or, below ATOMIC, a part of it
     * @throws io.penstock.core.ConflictException at NAIVE, when other writers kept changing the same pages
     */
    public Stamp commit() {
        requireActive();
        over = true;
        if (writes.isEmpty()) {
            return Stamp.ZERO;
        }
        engine.requireWritable();
        large.requireYoung();
        return engine.whileOpen(this::commitWrites);
    }

    private Stamp commitWrites() {
        long start = engine.tasks.nanoTime();
        try {
            engine.join();
            Stamp stamp = engine.clock.next(engine.client);
            session.commit(level, new Committed(stamp, writes.stamped(stamp)));
            StoreMeters.committed(engine, level, engine.tasks.nanoTime() - start);
            return stamp;
        } catch (StoreException failure) {
            StoreMeters.failed(engine, level);
            throw failure;
        }
    }

    /** Forgets all writes. */
    public void abort() {
        over = true;
    }

    /** Aborts, unless it was committed. */
    @Override
    public void close() {
        abort();
    }

    private void requireActive(RecordCollection<?, ?> collection) {
        requireActive();
        if (collection.engine() != engine) {
            throw new InvalidRequestException(
                    "the collection was opened from another store handle; open it from this one",
                    "collection",
                    collection.name());
        }
    }

    private void requireActive() {
        engine.requireOpen();
        if (over) {
            throw new ClosedException("the transaction is over; begin another");
        }
    }

    private static <K> KeyRange range(KeyCodec<K> keys, KeySpan<K> span) {
        @Nullable K from = span.from();
        @Nullable K to = span.to();
        if (from != null && span.prefixed()) {
            return KeyRange.prefix(keys.encode(from));
        }
        return new KeyRange(from == null ? Bytes.EMPTY : keys.encode(from), to == null ? null : keys.encode(to));
    }

    private static Direction direction(KeySpan<?> span) {
        return span.descending() ? Direction.DESCENDING : Direction.ASCENDING;
    }
}
