package io.penstock;

import io.penstock.commit.catalog.CollectionDefinition.IndexDefinition;
import io.penstock.commit.index.CompositeKey;
import io.penstock.commit.session.KeyScan;
import io.penstock.commit.session.MergedKeys;
import io.penstock.core.Bytes;
import io.penstock.core.TreeId;
import io.penstock.core.record.KeyRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * The read path of an index: its entries, those of pending records among them, and the records that they lead to. For
 * one thread.
 */
final class IndexReader<I, K, V> {
    /** Keys of records whose index entries are pending that are read at a time. */
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
        Reads.CheckedPayloads.requireNotNull(collection.name(), "search key", searchKey);
        Bytes prefix = CompositeKey.prefix(index.searchKeys().encode(searchKey));
        return scan(KeyRange.prefix(prefix), KeySpan.all());
    }

    Scan<Entry<K, V>> scan(KeySpan<I> span) {
        return scan(range(span), span);
    }

    private KeyRange range(KeySpan<I> span) {
        KeyCodec<I> searchKeys = index.searchKeys();
        I from = span.from();
        I to = span.to();
        if (from != null && span.prefixed()) {
            return KeyRange.prefix(CompositeKey.escape(searchKeys.encode(from)));
        }
        Bytes first = from == null ? Bytes.EMPTY : CompositeKey.prefix(searchKeys.encode(from));
        return new KeyRange(first, to == null ? null : CompositeKey.prefix(searchKeys.encode(to)));
    }

    private Scan<Entry<K, V>> scan(KeyRange range, KeySpan<?> span) {
        IndexDefinition stored = index.ready();
        TreeId tree = stored.treeId();
        KeyRange left = span.resumed(range, tree);
        // Own records first: one that is no longer among them is among the pending ones. Then these: a scrub writes an
        // entry before it takes the record out of the pending ones.
        SortedSet<Bytes> pending = new TreeSet<>();
        addEntries(reads.unindexed(collection, stored), left, pending);
        stored.pendingTree().ifPresent(keys -> addPending(keys, left, pending));
        KeyScan found = reads.scan(tree, left, span).keys();
        KeyScan all = pending.isEmpty() ? found : new MergedKeys(found, pending, span.direction());
        return new IndexScan<>(all, tree, span, this::records);
    }

    /** Adds the entries in a range of records whose writers did not know the index. */
    private void addPending(TreeId pendingKeys, KeyRange range, SortedSet<Bytes> entries) {
        try (KeyScan pending =
                reads.scan(pendingKeys, KeyRange.all(), KeySpan.all()).keys()) {
            while (pending.hasNext()) {
                List<Bytes> keys = new ArrayList<>();
                while (keys.size() < PENDING_BATCH && pending.hasNext()) {
                    keys.add(pending.next());
                }
                addEntries(keys, range, entries);
            }
        }
    }

    private void addEntries(List<Bytes> keys, KeyRange range, SortedSet<Bytes> entries) {
        List<Supplier<Optional<Bytes>>> payloads = reads.findAll(collection, keys);
        for (int i = 0; i < keys.size(); i++) {
            Bytes key = keys.get(i);
            payloads.get(i)
                    .get()
                    .flatMap(payload -> index.entryOf(key, payload))
                    .filter(range::contains)
                    .ifPresent(entries::add);
        }
    }

    /** The records of index entries; empty where the entry does not fit its record any more. */
    private List<Supplier<Optional<Entry<K, V>>>> records(List<Bytes> entries) {
        List<Bytes> keys = entries.stream()
                .map(entry -> CompositeKey.split(entry).second())
                .toList();
        List<Supplier<Optional<Bytes>>> payloads = reads.findAll(collection, keys);
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
}
