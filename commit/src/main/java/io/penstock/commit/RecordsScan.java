package io.penstock.commit;

import io.penstock.commit.session.LayeredScan;
import io.penstock.core.Bytes;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** A scan of a collection: each record is decoded when it is asked for; a large payload is read just before. */
final class RecordsScan<K, V> extends TypedScan<Entry<K, V>> {
    private final LayeredScan records;
    private final Collection<K, V> collection;
    private final BiFunction<Bytes, Bytes, Optional<Bytes>> large;

    /** The payload of the record that this stands on, if it is large. */
    private @Nullable Bytes largePayload;

    /** @param large gives the payload for a key and a reference; empty when the record was deleted meanwhile */
    RecordsScan(
            LayeredScan records,
            Collection<K, V> collection,
            KeySpan<?> span,
            BiFunction<Bytes, Bytes, Optional<Bytes>> large) {
        super(records, collection.tree(), span);
        this.records = records;
        this.collection = collection;
        this.large = large;
    }

    @Override
    boolean toNext() {
        largePayload = null;
        while (records.advance()) {
            if (!records.isReference()) {
                return true;
            }
            largePayload = large.apply(records.key(), records.payload()).orElse(null);
            if (largePayload != null) {
                return true;
            }
        }
        return false;
    }

    @Override
    Entry<K, V> take() {
        records.mark();
        Bytes payload = largePayload;
        return collection.entry(records.key(), payload == null ? records.payload() : payload);
    }

    @Override
    @Nullable
    Bytes lastKey() {
        return records.markedKey();
    }
}
