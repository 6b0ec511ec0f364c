package io.penstock;

import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.commit.catalog.IndexDefinition;
import io.penstock.commit.index.CompositeKey;
import io.penstock.commit.index.IncludedPart;
import io.penstock.commit.index.IndexEntry;
import io.penstock.commit.query.RangesScan;
import io.penstock.commit.session.EntryScan;
import io.penstock.commit.session.RecordScan;
import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.meter.ReadTimes;
import io.penstock.core.record.KeyRange;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The read path of an index: its entries, those of pending records among them, and the records that they lead to. For
 * one thread.
 */
final class IndexReader<I, K, V> {
    /** The number of records with pending index entries that are read at a time. */
    private static final int PENDING_BATCH = 256;

    private final Index<I, K, V> index;
    private final RecordCollection<K, V> collection;
    private final Reads reads;

    IndexReader(Index<I, K, V> index, Reads reads) {
        this.index = index;
        this.collection = index.collection();
        this.reads = reads;
    }

    Scan<Entry<K, V>> scan(I searchKey) {
        return scan(range(searchKey), KeySpan.all(), (entries, alone) -> records(entries));
    }

    Scan<Entry<K, V>> scan(KeySpan<? super I> span) {
        return scan(range(span), span, (entries, alone) -> records(entries));
    }

    <P> Scan<Entry<K, P>> scan(CoveringIndex<I, K, V, P> covering, I searchKey) {
        return scan(range(searchKey), KeySpan.all(), (entries, alone) -> rows(covering, entries, alone));
    }

    <P> Scan<Entry<K, P>> scan(CoveringIndex<I, K, V, P> covering, KeySpan<? super I> span) {
        return scan(range(span), span, (entries, alone) -> rows(covering, entries, alone));
    }

    /**
     * The records of entries in some ranges of the index.
     *
     * @param take makes an answer of a record, or leaves it out
     */
    <T> Scan<T> query(List<KeyRange> ranges, KeySpan<?> span, Function<Entry<K, V>, Optional<T>> take) {
        return scan(
                ranges,
                span,
                (entries, alone) -> records(entries).stream()
                        .<Supplier<Optional<T>>>map(record -> () -> record.get().flatMap(take))
                        .toList());
    }

    /** The rows of entries in some ranges of the index; see {@link #query(List, KeySpan, Function)}. */
    <P, T> Scan<T> query(
            CoveringIndex<I, K, V, P> covering,
            List<KeyRange> ranges,
            KeySpan<?> span,
            Function<Entry<K, P>, Optional<T>> take) {
        return scan(
                ranges,
                span,
                (entries, alone) -> rows(covering, entries, alone).stream()
                        .<Supplier<Optional<T>>>map(row -> () -> row.get().flatMap(take))
                        .toList());
    }

    private KeyRange range(I searchKey) {
        Reads.CheckedPayloads.requireNotNull(collection.name(), "search key", searchKey);
        return KeyRange.prefix(CompositeKey.prefix(KeySpan.encode(index.searchKeys(), searchKey)));
    }

    private KeyRange range(KeySpan<? super I> span) {
        return range(span, index.searchKeys());
    }

    private static <T> KeyRange range(KeySpan<T> span, KeyCodec<? extends T> searchKeys) {
        T from = span.from();
        T to = span.to();
        if (from != null && span.prefixed()) {
            return KeyRange.prefix(CompositeKey.escape(KeySpan.encode(searchKeys, from)));
        }
        Bytes first = from == null ? Bytes.EMPTY : CompositeKey.prefix(KeySpan.encode(searchKeys, from));
        return new KeyRange(first, to == null ? null : CompositeKey.prefix(KeySpan.encode(searchKeys, to)));
    }

    private <T> Scan<T> scan(
            KeyRange range,
            KeySpan<?> span,
            BiFunction<List<IndexEntry>, Predicate<IndexEntry>, List<Supplier<Optional<T>>>> read) {
        return scan(List.of(range), span, read);
    }

    private <T> Scan<T> scan(
            List<KeyRange> ranges,
            KeySpan<?> span,
            BiFunction<List<IndexEntry>, Predicate<IndexEntry>, List<Supplier<Optional<T>>>> read) {
        CollectionDefinition definition = index.ready(OptionalLong.empty());
        IndexDefinition stored = index.in(definition);
        TreeId tree = stored.treeId();
        List<KeyRange> left =
                ranges.stream().map(range -> span.resumed(range, tree)).toList();
        // These first: a scrub writes an entry before it takes the record out of the pending ones.
        Set<Bytes> unindexed = reads.unindexed(definition, stored);
        SortedSet<Bytes> pending = entriesOf(unindexed, left);
        RangesScan.Ahead ahead =
                Reads.ahead(collection, span.limit() > 0, reads.prefetching(tree, left, span.direction()));
        RangesScan records = new RangesScan(most -> left, ahead, range -> true, range -> entries(stored, range, span));
        EntryScan found = new EntryScan(records, pending, span.direction());
        Predicate<IndexEntry> alone =
                entry -> isExact(entry, definition, stored) && !unindexed.contains(primaryKey(entry));
        return new IndexScan<>(found, tree, span, reads.times(), entries -> read.apply(entries, alone));
    }

    /** The entries of a range; by then leaves are being read ahead, while it is found out that they still count. */
    private RecordScan entries(IndexDefinition stored, KeyRange range, KeySpan<?> span) {
        OptionalLong since = reads.enterIndex(collection.tree());
        if (since.isPresent() && !isStill(stored, since)) {
            throw new ConflictException(
                    "the index was defined anew meanwhile; run it again",
                    "collection",
                    collection.name(),
                    "index",
                    index.name());
        }
        return reads.scan(stored.treeId(), range, span);
    }

    private boolean isStill(IndexDefinition stored, OptionalLong sinceNanos) {
        try {
            return index.in(index.ready(sinceNanos)).equals(stored);
        } catch (InvalidRequestException dropped) {
            if (dropped.code() != ErrorCode.INDEX_NOT_READY) {
                throw dropped;
            }
            return false;
        }
    }

    /** The entries in a range of records whose writers did not know the index. */
    private SortedSet<Bytes> entriesOf(Set<Bytes> unindexed, List<KeyRange> ranges) {
        SortedSet<Bytes> entries = new TreeSet<>();
        List<Bytes> keys = unindexed.stream().sorted().toList();
        for (int from = 0; from < keys.size(); from += PENDING_BATCH) {
            addEntries(keys.subList(from, Math.min(keys.size(), from + PENDING_BATCH)), ranges, entries);
        }
        return entries;
    }

    private void addEntries(List<Bytes> keys, List<KeyRange> ranges, SortedSet<Bytes> entries) {
        List<Supplier<Optional<Bytes>>> payloads = reads.findAll(collection, keys);
        for (int i = 0; i < keys.size(); i++) {
            Bytes key = keys.get(i);
            payloads.get(i)
                    .get()
                    .flatMap(payload -> index.entryOf(key, payload))
                    .map(IndexEntry::key)
                    .filter(found -> ranges.stream().anyMatch(range -> range.contains(found)))
                    .ifPresent(entries::add);
        }
    }

    /** The records of index entries; empty where the entry does not fit its record any more. */
    private List<Supplier<Optional<Entry<K, V>>>> records(List<IndexEntry> entries) {
        List<Bytes> keys = entries.stream().map(IndexReader::primaryKey).toList();
        List<Supplier<Optional<Bytes>>> payloads = reads.findAll(collection, keys);
        List<Supplier<Optional<Entry<K, V>>>> found = new ArrayList<>(keys.size());
        for (int i = 0; i < keys.size(); i++) {
            Bytes key = keys.get(i);
            Bytes entryKey = entries.get(i).key();
            Supplier<Optional<Bytes>> record = payloads.get(i);
            found.add(() -> record.get()
                    .map(payload -> collection.entry(key, payload))
                    .filter(entry -> index.entryKey(key, entry.value())
                            .filter(entryKey::equals)
                            .isPresent()));
        }
        return found;
    }

    private static Bytes primaryKey(IndexEntry entry) {
        return CompositeKey.split(entry.key()).second();
    }

    /**
     * Whether there is a record that an entry fits, as far as writers do not race. Those of before the collection came
     * into its domain may have raced, as those of before the index was built; a bulk load may have failed before its
     * records.
     */
    private boolean isExact(IndexEntry entry, CollectionDefinition definition, IndexDefinition stored) {
        Stamp stamp = entry.stamp();
        return stamp == null
                || Long.compareUnsigned(stamp.time(), definition.racedUntil(stored)) > 0
                        && (!IncludedPart.isOfLoad(entry.included())
                                || collection.parts().endedLoads().contains(stamp));
    }

    /**
     * The rows that index entries include; of others from their records.
     *
     * @param alone whether an entry may be a row without a look at its record
     */
    private <P> List<Supplier<Optional<Entry<K, P>>>> rows(
            CoveringIndex<I, K, V, P> covering, List<IndexEntry> entries, Predicate<IndexEntry> alone) {
        List<Optional<Entry<K, P>>> included = new ArrayList<>();
        List<IndexEntry> others = new ArrayList<>();
        for (IndexEntry entry : entries) {
            Optional<Entry<K, P>> row = alone.test(entry)
                    ? covering.included(entry.included())
                            .map(part -> new Entry<>(collection.keys().decode(primaryKey(entry)), part))
                    : Optional.empty();
            included.add(row);
            if (row.isEmpty()) {
                others.add(entry);
            }
        }
        Iterator<Supplier<Optional<Entry<K, V>>>> read = records(others).iterator();
        List<Supplier<Optional<Entry<K, P>>>> rows = new ArrayList<>();
        for (int i = 0; i < entries.size(); i++) {
            Optional<Entry<K, P>> row = included.get(i);
            rows.add(row.isPresent() ? () -> row : part(covering, entries.get(i), read.next()));
        }
        return rows;
    }

    private <P> Supplier<Optional<Entry<K, P>>> part(
            CoveringIndex<I, K, V, P> covering, IndexEntry from, Supplier<Optional<Entry<K, V>>> record) {
        return () -> record.get().map(entry -> {
            if (from.stamp() != null && IncludedPart.isOfLoad(from.included())) {
                collection.parts().endedLoads().learn(from.stamp(), collection.tree(), primaryKey(from));
            }
            return new Entry<>(entry.key(), covering.partOf(entry.value()));
        });
    }

    /**
     * A scan of an index. It reads the records of its entries in batches, which begin with one and double, so that the
     * pages of a batch are read at a time, but large payloads one by one, as they are asked for; it leaves out entries
     * without a record.
     */
    private static final class IndexScan<T> extends TypedScan<T> {
        /** The maximum number of index entries whose records are read at a time. */
        private static final int BATCH_MAX = 256;

        private final EntryScan entries;
        private final Function<List<IndexEntry>, List<Supplier<Optional<T>>>> read;

        /** The next entries, whose records were not read yet. */
        private final List<IndexEntry> taken = new ArrayList<>();

        private final ArrayDeque<Found<T>> found = new ArrayDeque<>();
        private @Nullable T next;
        private Bytes nextKey = Bytes.EMPTY;
        private int batch = 1;

        private record Found<T>(Bytes key, Supplier<Optional<T>> value) {}

        /**
         * @param tree that {@code entries} come from
         * @param read gives an answer for each entry, in order
         */
        IndexScan(
                EntryScan entries,
                TreeId tree,
                KeySpan<?> span,
                ReadTimes times,
                Function<List<IndexEntry>, List<Supplier<Optional<T>>>> read) {
            super(tree, span, times);
            this.entries = entries;
            this.read = read;
        }

        @Override
        int fetch() {
            boolean more = true;
            next = null;
            while (next == null && (more || !found.isEmpty())) {
                if (found.isEmpty()) {
                    more = readBatch();
                } else {
                    Found<T> first = found.element();
                    next = read(first.value, found::remove).orElse(null);
                    nextKey = first.key;
                    found.remove();
                }
            }
            return next == null ? 0 : 1;
        }

        @Override
        void expectAll() {
            batch = BATCH_MAX;
            entries.expectAll();
        }

        @Override
        T take() {
            return Objects.requireNonNull(next);
        }

        @Override
        Bytes key() {
            return nextKey;
        }

        @Override
        void release() {
            entries.close();
        }

        /** Reads the records of the next entries; false when the entries are at their end. */
        private boolean readBatch() {
            long wanted = Math.min(batch, left());
            boolean more = true;
            while (taken.size() < wanted && more) {
                more = entries.hasNext();
                if (more) {
                    taken.add(entries.next());
                }
            }
            List<Supplier<Optional<T>>> values = values();
            batch = Math.min(BATCH_MAX, batch * 2);
            for (int i = 0; i < taken.size(); i++) {
                found.add(new Found<>(taken.get(i).key(), values.get(i)));
            }
            taken.clear();
            return more;
        }

        /** The answers for {@code taken}; each by itself where one of them cannot be read. */
        private List<Supplier<Optional<T>>> values() {
            try {
                return read.apply(taken);
            } catch (RuntimeException failure) {
                if (isRepeated(failure)) {
                    throw failure;
                }
                return taken.stream()
                        .<Supplier<Optional<T>>>map(entry ->
                                () -> read.apply(List.of(entry)).getFirst().get())
                        .toList();
            }
        }
    }
}
