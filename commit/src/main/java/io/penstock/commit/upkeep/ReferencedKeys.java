package io.penstock.commit.upkeep;

import io.penstock.commit.log.LogRecord;
import io.penstock.commit.log.PuMessage;
import io.penstock.core.Bytes;
import io.penstock.core.TreeId;
import io.penstock.core.memory.ExternalSort;
import io.penstock.core.memory.Workspace;
import io.penstock.core.object.Listing;
import io.penstock.core.overflow.OverflowParts;
import io.penstock.core.overflow.OverflowReference;
import io.penstock.core.overflow.OverflowStore;
import io.penstock.core.page.PageImage;
import io.penstock.core.record.OverflowReferences;
import io.penstock.core.task.MemoryLock;
import java.util.Iterator;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The keys of the overflow objects that leaves name, gathered while trees are walked and then compared with a listing:
 * sorted, outside of memory where they are many. Many threads may add; close it when done.
 */
final class ReferencedKeys implements AutoCloseable {
    private final OverflowStore overflows;
    private final ExternalSort keys;
    private final MemoryLock lock = new MemoryLock();

    ReferencedKeys(OverflowStore overflows, Workspace room) {
        this.overflows = overflows;
        this.keys = room.sort();
    }

    /** Adds the keys of the objects that a page names, if it is a leaf. */
    void addFrom(PageImage page) {
        if (page.isLeaf()) {
            OverflowReferences.of(page).forEach(reference -> add(page.id().tree(), reference));
        }
    }

    /**
     * Adds the keys of the objects that log records name which were parked, or put into quarantine.
     *
     * @param name of the message, for the error
     * @throws io.penstock.core.CorruptDataException when it is no message of a PU queue
     */
    void addFrom(Bytes message, String name) {
        PuMessage.decode(message, name).records().forEach(this::addFrom);
    }

    /** Adds the keys of the objects that a log record names. */
    void addFrom(LogRecord record) {
        if (record.change().isReference()) {
            OverflowParts.decode(record.change().livePayload()).objects().forEach(object -> add(record.tree(), object));
        }
    }

    private void add(TreeId tree, OverflowReference reference) {
        Bytes key = Bytes.utf8(overflows.objectKey(tree, reference));
        lock.run(() -> keys.add(key, Bytes.EMPTY, false));
    }

    /**
     * Compares them with a listing of the overflow objects, once.
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
