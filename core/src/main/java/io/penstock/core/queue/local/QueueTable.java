package io.penstock.core.queue.local;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/** The queues in memory, by name and by number. Safe for use by many threads. */
final class QueueTable {
    private final ConcurrentNavigableMap<String, QueueState> byName = new ConcurrentSkipListMap<>();
    private final Map<Long, QueueState> byId = new ConcurrentHashMap<>();

    void add(QueueState queue) {
        byId.put(queue.id(), queue);
        byName.put(queue.name(), queue);
    }

    /** Adds a queue whose name is not known: its messages are kept, and not delivered. */
    void addNameless(QueueState queue) {
        byId.put(queue.id(), queue);
    }

    void remove(QueueState queue) {
        byName.remove(queue.name(), queue);
        byId.remove(queue.id());
    }

    @Nullable
    QueueState find(String name) {
        return byName.get(name);
    }

    @Nullable
    QueueState find(long id) {
        return byId.get(id);
    }

    List<String> names(String prefix) {
        return byName.tailMap(prefix).keySet().stream()
                .takeWhile(name -> name.startsWith(prefix))
                .toList();
    }

    Collection<QueueState> all() {
        return byId.values();
    }
}
