package io.penstock;

import io.penstock.commit.index.CompositeKey;
import io.penstock.commit.session.EntryScan;
import io.penstock.commit.session.RecordScan;
import io.penstock.core.Bytes;
import io.penstock.core.DuplicateException;
import io.penstock.core.record.Direction;
import io.penstock.core.record.KeyRange;
import java.util.Collections;
import java.util.List;

/** The search keys of unique indexes, as a transaction must find them before it puts a record. */
record UniqueKeys(Reads reads, ChosenIsolation isolation) {
    /**
     * Requires that no other record has the search key, or takes it before this is committed, at any level of
     * isolation.
     */
    <K, V> void require(
            RecordCollection<K, V> collection, KeptIndexes<K, V> kept, KeptIndexes.KeptEntry fresh, Bytes primaryKey) {
        if (!fresh.unique()) {
            return;
        }
        KeyRange same = fresh.sameSearchKey();
        isolation.guard(fresh.tree(), same);
        RecordScan stored = reads.scan(fresh.tree(), same, KeySpan.all());
        try (EntryScan found = new EntryScan(stored, Collections.emptySortedSet(), Direction.ASCENDING)) {
            while (found.hasNext()) {
                Bytes entry = found.next().key();
                Bytes owner = CompositeKey.split(entry).second();
                // An entry may be left over where a writer did not know of the index.
                boolean taken = !owner.equals(primaryKey)
                        && liveEntries(collection, kept, owner).stream()
                                .anyMatch(each -> each.tree().equals(fresh.tree())
                                        && each.key().equals(entry));
                if (taken) {
                    throw new DuplicateException(
                            "another record has this search key, and the index is unique after each put; choose"
                                    + " another, or delete the records first to exchange their search keys",
                            "collection",
                            collection.name(),
                            "index",
                            fresh.index());
                }
            }
        }
    }

    /** The index entries of the live record that this transaction sees. */
    private <K, V> List<KeptIndexes.KeptEntry> liveEntries(
            RecordCollection<K, V> collection, KeptIndexes<K, V> kept, Bytes keyBytes) {
        return reads.get(collection, keyBytes)
                .map(before -> kept.entries(keyBytes, before))
                .orElse(List.of());
    }
}
