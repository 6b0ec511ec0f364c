package io.penstock;

import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.commit.catalog.IndexDefinition;
import io.penstock.commit.engine.CollectionFacts;
import io.penstock.commit.index.AddedIndex;
import io.penstock.commit.protocol.WriteSet;
import io.penstock.commit.query.RangesScan;
import io.penstock.commit.session.RecordReader;
import io.penstock.commit.session.RecordScan;
import io.penstock.commit.settings.Bounds;
import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.PageId;
import io.penstock.core.TreeId;
import io.penstock.core.meter.ReadTimes;
import io.penstock.core.overflow.ByteRange;
import io.penstock.core.page.Expiry;
import io.penstock.core.page.LeafRun;
import io.penstock.core.record.Content;
import io.penstock.core.record.Direction;
import io.penstock.core.record.KeyRange;
import java.io.InputStream;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The reads of one session, with or without the writes of a transaction on top: the one way into a read. Without
 * writes safe for use by many threads.
 *
 * @param reader known by the first read
 * @param writes that hide what is below them
 */
record Reads(Supplier<RecordReader> reader, WriteSet writes, ReadTimes times) {
    /** The share of the pool for leaves that are read ahead. */
    private static final long AHEAD_SHARE = 10;

    /** These reads, on top of what is written by now, for a scan. */
    Reads view() {
        return new Reads(reader, writes.view(), times);
    }

    <K, V> Optional<V> get(RecordCollection<K, V> collection, K key) {
        long begun = times.begin();
        CollectionFacts facts = collection.facts(begun); // once: it is a part of what a read in memory takes
        return get(collection, facts.tree(), collection.encode(key, facts), begun);
    }

    <K, V> Optional<V> get(RecordCollection<K, V> collection, Bytes key) {
        return get(collection, collection.tree(), key, times.begin());
    }

    private <K, V> Optional<V> get(RecordCollection<K, V> collection, TreeId tree, Bytes key, long begun) {
        try {
            Optional<Bytes> payload = reader.get().find(tree, key, writes);
            Optional<V> value = payload.isEmpty()
                    ? Optional.empty()
                    : Optional.of(collection.payloads().decode(payload.get()));
            times.got(begun);
            return value;
        } catch (RuntimeException failure) {
            times.getFailed(failure);
            throw failure;
        }
    }

    /** The content of a record, also of one whose payload is lost or cannot be decoded. */
    Optional<Content> content(RecordCollection<?, ?> collection, Bytes key) {
        return reader.get().content(collection.tree(), key, writes);
    }

    <K, V> Map<K, V> getAll(RecordCollection<K, V> collection, Collection<K> keys) {
        return times.getAll(() -> findThem(collection, keys));
    }

    private <K, V> Map<K, V> findThem(RecordCollection<K, V> collection, Collection<K> keys) {
        List<K> distinct =
                Bounds.requirePresent("keys", keys).stream().distinct().toList();
        List<Bytes> bytes = distinct.stream().map(collection::encode).toList();
        List<Supplier<Optional<Bytes>>> payloads = findAll(collection, bytes);
        Map<K, V> found = new LinkedHashMap<>();
        for (int i = 0; i < distinct.size(); i++) {
            K key = distinct.get(i);
            payloads.get(i)
                    .get()
                    .ifPresent(payload -> found.put(key, collection.payloads().decode(payload)));
        }
        return found;
    }

    Optional<InputStream> open(RecordCollection<?, ?> collection, Bytes key, ByteRange range) {
        return reader.get().open(collection.tree(), key, range, writes);
    }

    <K> OptionalLong payloadBytes(RecordCollection<K, ?> collection, K key) {
        return content(collection, collection.encode(key)).stream()
                .mapToLong(Content::length)
                .findFirst();
    }

    <K, V> Scan<Entry<K, V>> scan(RecordCollection<K, V> collection, KeySpan<? super K> span) {
        TreeId tree = collection.tree();
        RecordScan found =
                scan(tree, Bounds.requirePresent("span", span).resumed(span.range(collection.keys()), tree), span);
        return new CollectionScan<>(
                found, collection, span, times, (key, reference) -> reader.get().large(tree, key, reference, writes));
    }

    /** The keys of records, also of those that cannot be read. */
    <K> Scan<K> keys(RecordCollection<K, ?> collection, KeySpan<? super K> span) {
        TreeId tree = collection.tree();
        RecordScan found = scan(tree, span.resumed(span.range(collection.keys()), tree), span);
        return new KeyScan<>(found, tree, span, times, run -> collection.keys().decode(run.key()));
    }

    /** The keys of a tree, as it has them, and the sizes of their payloads in bytes. */
    Scan<Entry<Bytes, Long>> sizes(TreeId tree, KeySpan<Bytes> span) {
        RecordScan found = scan(tree, span.resumed(span.range(Keys.bytes()), tree), span);
        return new KeyScan<>(
                found,
                tree,
                span,
                times,
                run -> new Entry<>(
                        run.key(), new Content(run.payload(), run.isReference(), run.expiryMillis()).length()));
    }

    /** The live records of a range of a tree. */
    RecordScan scan(TreeId tree, KeyRange range, KeySpan<?> span) {
        RecordScan found = reader.get().scan(tree, range, span.direction(), writes);
        if (span.limit() > 0) {
            found.expect(span.limit());
        }
        return found;
    }

    /** Starts to read the first leaf of one of several ranges; not of one alone, whose scan does that as soon. */
    Consumer<KeyRange> prefetching(TreeId tree, List<KeyRange> ranges, Direction direction) {
        return ranges.size() < 2 ? range -> {} : range -> reader.get().prefetch(tree, range, direction, PageId.NONE);
    }

    /** The reading ahead of a scan of ranges, which may end after the first one if it is {@code limited}. */
    static RangesScan.Ahead ahead(RecordCollection<?, ?> of, boolean limited, Consumer<KeyRange> coming) {
        long room = of.parts().loads().pages().pool().bytesMax() / AHEAD_SHARE;
        return RangesScan.Ahead.of(limited, room / Math.max(1, of.lastKnown().leafBytesTarget()), coming);
    }

    /** See {@link RecordReader#enterIndex}. */
    OptionalLong enterIndex(TreeId collection) {
        return reader.get().enterIndex(collection);
    }

    /**
     * Returns the keys that {@link RecordReader#unindexed} does; none for an index that its collection was made with.
     */
    Set<Bytes> unindexed(CollectionDefinition collection, IndexDefinition index) {
        return index.pendingTree()
                .map(pending -> new AddedIndex(collection.treeId(), index.added(), pending, collection.since()))
                .map(added -> reader.get().unindexed(added, writes))
                .orElse(Set.of());
    }

    /** The payloads of many records, in the order of their keys. */
    List<Supplier<Optional<Bytes>>> findAll(RecordCollection<?, ?> collection, List<Bytes> keys) {
        return reader.get().findAll(collection.tree(), keys, writes);
    }

    /**
     * A payload codec that refuses null both ways: a record that is there has a value, whatever its codec makes of
     * null. Safe for use by many threads.
     */
    record CheckedPayloads<V>(String collection, PayloadCodec<V> codec) implements PayloadCodec<V> {
        @Override
        public Bytes encode(V value) {
            requireNotNull(collection, "value", value);
            return codec.encode(value);
        }

        @Override
        public V decode(Bytes payload) {
            V value = codec.decode(payload);
            if (value == null) {
                throw new CorruptDataException(
                        ErrorCode.CODEC_FAILURE,
                        "a payload stands for null, which is no value; was it written with another codec?",
                        "collection",
                        collection,
                        "bytes",
                        payload.length());
            }
            return value;
        }

        @Override
        public boolean same(V one, V other) {
            return codec.same(one, other);
        }

        static void requireNotNull(String collection, String what, @Nullable Object given) {
            if (given == null) {
                throw new InvalidRequestException(
                        "a " + what + " must not be null; give one", "collection", collection);
            }
        }
    }

    /** A scan of a collection: each record is decoded when it is asked for; a large payload is read just before. */
    private static final class CollectionScan<K, V> extends TypedScan<Entry<K, V>> {
        private final RecordScan records;
        private final RecordCollection<K, V> collection;
        private final BiFunction<Bytes, Bytes, Optional<Bytes>> large;

        /** A record whose payload is large, with that payload. */
        private final LeafRun loaded = new LeafRun();

        /** The records that were fetched last. */
        private LeafRun run = loaded;

        /** A record whose large payload is still to be read; null for none. */
        private @Nullable LeafRun due;

        /** @param large gives the payload for a key and a reference; empty when the record was deleted meanwhile */
        CollectionScan(
                RecordScan records,
                RecordCollection<K, V> collection,
                KeySpan<?> span,
                ReadTimes times,
                BiFunction<Bytes, Bytes, Optional<Bytes>> large) {
            super(collection.tree(), span, times);
            this.records = records;
            this.collection = collection;
            this.large = large;
        }

        @Override
        int fetch() {
            LeafRun found = due == null ? records.advance() : due;
            while (found != null && found.isReference() && !load(found)) {
                found = records.advance();
            }
            if (found == null) {
                return 0;
            }
            run = found.isReference() ? loaded : found;
            return run.left();
        }

        /** Loads the large payload of a record; false when the record was deleted meanwhile. */
        private boolean load(LeafRun reference) {
            var unused = reference.next(); // false where it was tried before
            due = reference;
            Bytes key = reference.key();
            Optional<Bytes> payload = read(() -> large.apply(key, reference.payload()), () -> due = null);
            due = null;
            payload.ifPresent(bytes -> loaded.hold(key, bytes, false, Expiry.NEVER, null));
            return payload.isPresent();
        }

        @Override
        void expectAll() {
            records.expectAll();
        }

        @Override
        Entry<K, V> take() {
            run.next();
            return collection.entry(run.key(), run.payload());
        }

        @Override
        Bytes key() {
            return run.key();
        }

        @Override
        void release() {
            records.close();
        }
    }

    /** A scan of the keys of a tree, which reads no large payload and decodes none. */
    private static final class KeyScan<T> extends TypedScan<T> {
        private final RecordScan records;
        private final Function<LeafRun, T> make;
        private LeafRun run = new LeafRun();

        /** @param make makes the answer of a record */
        KeyScan(RecordScan records, TreeId tree, KeySpan<?> span, ReadTimes times, Function<LeafRun, T> make) {
            super(tree, span, times);
            this.records = records;
            this.make = make;
        }

        @Override
        int fetch() {
            LeafRun found = records.advance();
            run = found == null ? run : found;
            return found == null ? 0 : found.left();
        }

        @Override
        void expectAll() {
            records.expectAll();
        }

        @Override
        T take() {
            run.next();
            return make.apply(run);
        }

        @Override
        Bytes key() {
            return run.key();
        }

        @Override
        void release() {
            records.close();
        }
    }
}
