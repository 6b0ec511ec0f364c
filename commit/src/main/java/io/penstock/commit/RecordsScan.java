package io.penstock.commit;

import io.penstock.commit.session.LayeredScan;
import io.penstock.core.Bytes;
import org.jspecify.annotations.Nullable;

/** A scan of a collection: each record is decoded when it is asked for. */
final class RecordsScan<K, V> extends TypedScan<Entry<K, V>> {
    private final Collection<K, V> collection;

    RecordsScan(LayeredScan records, Collection<K, V> collection, KeySpan<?> span) {
        super(records, collection.tree(), span);
        this.collection = collection;
    }

    @Override
    @Nullable
    Entry<K, V> take() {
        if (!records.advance()) {
            return null;
        }
        Bytes key = records.key();
        at(key);
        return collection.entry(key, records.payload());
    }
}
