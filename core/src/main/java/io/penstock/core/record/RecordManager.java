package io.penstock.core.record;

import io.penstock.core.Bytes;
import io.penstock.core.page.PageImage;
import io.penstock.core.task.Parallel;
import io.penstock.core.task.Tasks;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records of one tree. Safe for use by many threads.
 *
 * @param parallelMax leaves that one call reads at a time
 */
public record RecordManager(PageIndex index, Tasks tasks, int parallelMax) {
    /** The page's answer for {@code key}: a record, a tombstone, or (empty) nothing. */
    public Optional<RecordChange> find(Bytes key) {
        PageImage page = index.pageFor(key);
        return page == null ? Optional.empty() : look(page, key);
    }

    /**
     * The leaf with the answer for {@code key}, for callers that need no {@link RecordChange}; null when there is
     * none.
     */
    public @Nullable PageImage leafFor(Bytes key) {
        return index.pageFor(key);
    }

    /** Finds a record on the page's present version in the store. */
    public Optional<RecordChange> findFresh(Bytes key) {
        index.refresh(key);
        return find(key);
    }

    /**
     * Finds the records of many keys, in their order: each leaf is read once, several at a time. Records on pooled
     * leaves cost no request.
     */
    public List<Optional<RecordChange>> findAll(List<Bytes> keys) {
        if (keys.size() == 1) {
            return List.of(find(keys.getFirst()));
        }
        List<Optional<RecordChange>> found = new ArrayList<>(keys.size());
        List<Integer> unpooled = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            PageImage page = index.pooledLeafFor(keys.get(i));
            found.add(page == null ? Optional.empty() : look(page, keys.get(i)).map(RecordChange::apart));
            if (page == null) {
                unpooled.add(i);
            }
        }
        if (!unpooled.isEmpty() && !index.isEmpty()) {
            // Each place is set by one task; Parallel publishes them to the caller.
            Parallel.map(tasks, parallelMax, byLeaf(keys, unpooled), places -> {
                places.forEach(i -> found.set(i, find(keys.get(i)).map(RecordChange::apart)));
                return places.size();
            });
        }
        return found;
    }

    /** The places of keys, those of one leaf together. */
    private List<List<Integer>> byLeaf(List<Bytes> keys, List<Integer> places) {
        List<Long> leaves = Parallel.map(tasks, parallelMax, places, i -> index.leafNumberFor(keys.get(i)));
        Map<Long, List<Integer>> byLeaf = new LinkedHashMap<>();
        for (int i = 0; i < leaves.size(); i++) {
            byLeaf.computeIfAbsent(leaves.get(i), leaf -> new ArrayList<>()).add(places.get(i));
        }
        return List.copyOf(byLeaf.values());
    }

    /** The records of {@code range}, those that have expired too, and the tombstones among them. */
    public RecordCursor cursor(KeyRange range, Direction direction) {
        return cursor(range, direction, Long.MIN_VALUE);
    }

    /**
     * The records of {@code range} and the tombstones among them.
     *
     * @param asOfMillis records that have expired by then count as tombstones
     */
    public RecordCursor cursor(KeyRange range, Direction direction, long asOfMillis) {
        return new RecordCursor(index, range, direction, asOfMillis);
    }

    private static Optional<RecordChange> look(PageImage page, Bytes key) {
        int at = page.find(key);
        return at < 0 ? Optional.empty() : Optional.of(read(page, at, key));
    }

    private static RecordChange read(PageImage page, int at, Bytes key) {
        return page.isTombstone(at)
                ? new RecordChange.Delete(key, page.stamp(at))
                : new RecordChange.Put(
                        key, page.payload(at), page.isReference(at), page.expiryMillis(at), page.stamp(at));
    }
}
