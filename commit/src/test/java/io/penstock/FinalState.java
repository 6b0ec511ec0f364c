package io.penstock;

import io.penstock.commit.engine.Engine;
import io.penstock.core.Bytes;
import io.penstock.core.Stamp;
import io.penstock.core.page.PageImage;
import io.penstock.core.record.Direction;
import io.penstock.core.record.KeyRange;
import io.penstock.core.record.OverflowReferences;
import io.penstock.core.record.PageIndex;
import io.penstock.core.record.RecordChange;
import io.penstock.core.record.RecordCursor;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The content of a store's pages, with stamps and tombstones: for checks behind the front door. */
public final class FinalState {
    /** A record; a null value is a tombstone. */
    public record Found(@Nullable String value, Stamp stamp) {}

    private FinalState() {}

    /** The records of a collection of JSON strings by their string keys. */
    public static Map<String, Found> of(RecordCollection<String, String> collection) {
        Map<String, Found> found = new TreeMap<>();
        Engine engine = collection.store().engine();
        try (RecordCursor scan =
                engine.trees().foreground().records(collection.tree()).cursor(KeyRange.all(), Direction.ASCENDING)) {
            while (scan.advance()) {
                RecordChange record = scan.record();
                String key = collection.keys().decode(record.key());
                found.put(key, new Found(value(collection, key, record), record.stamp()));
            }
        }
        return found;
    }

    private static @Nullable String value(
            RecordCollection<String, String> collection, String key, RecordChange record) {
        Bytes payload = record.payloadOrNull();
        if (payload == null || !record.isReference()) {
            return payload == null ? null : collection.payloads().decode(payload);
        }
        return collection.get(key).orElse(null);
    }

    /** The keys of the overflow objects that the pages of a collection name. */
    public static Set<String> overflowKeys(RecordCollection<?, ?> collection) {
        Engine engine = collection.store().engine();
        Set<String> keys = new TreeSet<>();
        PageIndex index = engine.trees().foreground().reader(collection.tree());
        Bytes next = Bytes.EMPTY;
        while (next != null) {
            PageImage leaf = index.leafFor(next).orElseThrow().page().image();
            OverflowReferences.of(leaf)
                    .forEach(reference ->
                            keys.add(engine.foreground().overflows().objectKey(collection.tree(), reference)));
            next = leaf.header().highKey();
        }
        return keys;
    }
}
