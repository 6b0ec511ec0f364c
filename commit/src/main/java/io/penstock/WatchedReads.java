package io.penstock;

import java.util.HashSet;
import java.util.Set;

/** Records that one transaction has read without isolation, to warn of lost updates. For one thread. */
final class WatchedReads {
    private static final int REMEMBERED_MAX = 100;

    private final StoreLevel store;
    private final Set<ReadRecord> records = new HashSet<>();

    private record ReadRecord(String collection, Object key) {}

    WatchedReads(StoreLevel store) {
        this.store = store;
    }

    void read(RecordCollection<?, ?> collection, Object key, ConsistencyLevel level) {
        if (!level.isolates() && records.size() < REMEMBERED_MAX && store.watchesForLostUpdates()) {
            records.add(new ReadRecord(collection.name(), key));
        }
    }

    void write(RecordCollection<?, ?> collection, Object key, ConsistencyLevel level) {
        if (!records.isEmpty() && records.contains(new ReadRecord(collection.name(), key))) {
            store.sawUpdate(collection.name(), level);
        }
    }
}
