package io.penstock;

import io.penstock.commit.session.LayeredScan;
import io.penstock.core.Bytes;
import io.penstock.core.page.LeafRun;
import java.util.Optional;
import java.util.function.BiFunction;

/** A scan of a collection: each record is decoded when it is asked for; a large payload is read just before. */
final class CollectionScan<K, V> extends TypedScan<Entry<K, V>> {
    private final LayeredScan records;
    private final RecordCollection<K, V> collection;
    private final BiFunction<Bytes, Bytes, Optional<Bytes>> large;

    /** A record whose payload is large, with that payload. */
    private final LeafRun loaded = new LeafRun();

    /** The records that were fetched last. */
    private LeafRun run = loaded;

    /** @param large gives the payload for a key and a reference; empty when the record was deleted meanwhile */
    CollectionScan(
            LayeredScan records,
            RecordCollection<K, V> collection,
            KeySpan<?> span,
            BiFunction<Bytes, Bytes, Optional<Bytes>> large) {
        super(collection.tree(), span);
        this.records = records;
        this.collection = collection;
        this.large = large;
    }

    @Override
    int fetch() {
        LeafRun found;
        do {
            found = records.advance();
        } while (found != null && found.isReference() && !load(found));
        if (found == null) {
            return 0;
        }
        run = found.isReference() ? loaded : found;
        return run.left();
    }

    /** False when the record was deleted meanwhile. */
    private boolean load(LeafRun reference) {
        reference.next();
        Bytes key = reference.key();
        Optional<Bytes> payload = large.apply(key, reference.payload());
        payload.ifPresent(bytes -> loaded.hold(key, bytes, false));
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
