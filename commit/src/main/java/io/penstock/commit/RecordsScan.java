package io.penstock.commit;

import io.penstock.commit.session.LayeredScan;
import io.penstock.core.Bytes;
import org.jspecify.annotations.Nullable;

/** A scan of a collection: each record is decoded when it is asked for. */
final class RecordsScan<K, V> extends TypedScan<Entry<K, V>> {
    private final LayeredScan records;
    private final Collection<K, V> collection;

    RecordsScan(LayeredScan records, Collection<K, V> collection, KeySpan<?> span) {
        super(records, collection.tree(), span);
        this.records = records;
        this.collection = collection;
    }

    @Override
    boolean toNext() {
        return records.advance();
    }

    @Override
    Entry<K, V> take() {
        records.mark();
        return collection.entry(records.key(), records.payload());
    }

    @Override
    @Nullable
    Bytes lastKey() {
        return records.markedKey();
    }
}
