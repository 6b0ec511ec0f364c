package io.penstock.commit;

import io.penstock.commit.protocol.WriteSet;
import io.penstock.commit.session.LayeredReader;
import io.penstock.commit.session.LayeredScan;
import io.penstock.core.Bytes;
import org.jspecify.annotations.Nullable;

/** A scan of a collection: each record is decoded when it is asked for. */
final class RecordsScan<K, V> extends TypedScan<Entry<K, V>> {
    private final Collection<K, V> collection;
    private final LayeredReader reader;
    private final WriteSet writes;

    RecordsScan(
            LayeredScan records, Collection<K, V> collection, KeySpan<?> span, LayeredReader reader, WriteSet writes) {
        super(records, collection.tree(), span);
        this.collection = collection;
        this.reader = reader;
        this.writes = writes;
    }

    @Override
    @Nullable
    Entry<K, V> take() {
        while (records.advance()) {
            Bytes key = records.key();
            Bytes payload = payload(key);
            if (payload != null) {
                at(key);
                return collection.entry(key, payload);
            }
        }
        return null;
    }

    /** Null for a large payload that was deleted since the scan came by its record. */
    private @Nullable Bytes payload(Bytes key) {
        Bytes payload = records.payload();
        return records.isReference()
                ? reader.follow(collection.tree(), key, payload, writes).orElse(null)
                : payload;
    }
}
