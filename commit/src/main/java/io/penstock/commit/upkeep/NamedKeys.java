package io.penstock.commit.upkeep;

import io.penstock.core.Bytes;
import io.penstock.core.memory.ExternalSort;
import io.penstock.core.memory.Workspace;
import io.penstock.core.object.Listing;
import io.penstock.core.task.MemoryLock;
import java.util.Iterator;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The keys of objects that leaves name, gathered while trees are walked and then compared with a listing: sorted,
 * outside of memory where they are many. Many threads may add; close it when done.
 */
final class NamedKeys implements AutoCloseable {
    private final ExternalSort keys;
    private final MemoryLock lock = new MemoryLock();

    NamedKeys(Workspace room) {
        this.keys = room.sort();
    }

    void add(String key) {
        lock.lock();
        try {
            keys.add(Bytes.utf8(key), Bytes.EMPTY, false);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Compares them with a listing, once.
     *
     * @param unnamed given each listed object that no leaf names
     * @param missing given each key that is named and not listed
     * @return the number of keys
     */
    long compare(Iterator<Listing.Entry> listed, Consumer<Listing.Entry> unnamed, Consumer<String> missing) {
        Iterator<ExternalSort.Item> named = keys.sorted();
        long count = 0;
        ExternalSort.Item key = next(named);
        Listing.Entry entry = next(listed);
        while (key != null || entry != null) {
            int order = key == null ? 1 : entry == null ? -1 : key.key().compareTo(Bytes.utf8(entry.key()));
            if (order < 0 && key != null) {
                missing.accept(key.key().toUtf8());
            } else if (order > 0 && entry != null) {
                unnamed.accept(entry);
            }
            count += order <= 0 ? 1 : 0;
            key = order <= 0 ? next(named) : key;
            entry = order >= 0 ? next(listed) : entry;
        }
        return count;
    }

    private static <T> @Nullable T next(Iterator<T> items) {
        return items.hasNext() ? items.next() : null;
    }

    @Override
    public void close() {
        keys.close();
    }
}
