package io.penstock.commit;

import io.penstock.commit.session.LiveRecords;
import io.penstock.core.Bytes;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** A scan of a collection: each record is decoded, and a large payload read, when it is asked for. */
final class RecordsScan<K, V> extends TypedScan<Entry<K, V>> {
    private final Collection<K, V> collection;
    private final BiFunction<Bytes, Bytes, Optional<Bytes>> large;

    /** @param large gives the payload for a key and a reference; empty when the record was deleted meanwhile */
    RecordsScan(
            LiveRecords records,
            Collection<K, V> collection,
            KeySpan<?> span,
            BiFunction<Bytes, Bytes, Optional<Bytes>> large) {
        super(records, collection.tree(), span);
        this.collection = collection;
        this.large = large;
    }

    @Override
    @Nullable
    Entry<K, V> take() {
        while (records.advance()) {
            Bytes key = records.key();
            Bytes payload =
                    records.isReference() ? large.apply(key, records.payload()).orElse(null) : records.payload();
            if (payload != null) {
                at(key);
                return collection.entry(key, payload);
            }
        }
        return null;
    }
}
