package io.penstock.core.object;

import io.penstock.core.PageId;
import io.penstock.core.meter.Observations;
import io.penstock.core.meter.RequestMeters;
import io.penstock.core.retry.Retries;
import io.penstock.core.retry.RetryPolicy;
import io.penstock.core.task.Tasks;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Function;

/**
 * Listings of an object store, and the layer that counts and repeats its requests. Closing a layer closes those below.
 */
public final class ObjectStores {
    /** The number of objects that one request lists. */
    public static final int LIST_LIMIT = 1000;

    private ObjectStores() {}

    /** All objects whose keys begin with {@code prefix}, by key, in as many requests as it takes. */
    public static List<Listing.Entry> listAll(ObjectStore objects, String prefix) {
        List<Listing.Entry> all = new ArrayList<>();
        listing(objects, prefix).forEachRemaining(all::add);
        return all;
    }

    /** Lists the objects that {@link #listAll} does, one request at a time: for objects that are many. */
    public static Iterator<Listing.Entry> listing(ObjectStore objects, String prefix) {
        return new Iterator<>() {
            private Listing page = objects.list(prefix, "", LIST_LIMIT);
            private int next;

            @Override
            public boolean hasNext() {
                if (next == page.entries().size() && next > 0 && page.more()) {
                    page = objects.list(prefix, page.entries().getLast().key(), LIST_LIMIT);
                    next = 0;
                }
                return next < page.entries().size();
            }

            @Override
            public Listing.Entry next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                return page.entries().get(next++);
            }
        };
    }

    /** Counts and times every request, under the names in {@link RequestMeters}; repeats none. */
    public static ObjectStore metered(ObjectStore inner, RequestMeters meters, Tasks tasks) {
        return retrying(inner, RetryPolicy.NONE, tasks, meters);
    }

    /**
     * Counts and times every request, and repeats calls that failed for the moment, within {@code policy}.
     *
     * <p>{@link io.penstock.core.UnavailableException}: every call. {@link io.penstock.core.OutcomeUnknownException}:
     * reads, deletes and unconditional puts, which are harmless twice; a conditional put is thrown to the caller at
     * once, who can find out its outcome. When the attempts are used up the last failure is thrown; but as unknown, if
     * any attempt may have taken effect.
     */
    public static ObjectStore retrying(ObjectStore inner, RetryPolicy policy, Tasks tasks, RequestMeters meters) {
        return observed(inner, policy, tasks, meters, Observations.NONE, key -> Optional.empty());
    }

    /**
     * Serves as {@link #retrying} does, and tells of each page that is read.
     *
     * @param pages the page whose object has a key, if it is one's
     */
    public static ObjectStore observed(
            ObjectStore inner,
            RetryPolicy policy,
            Tasks tasks,
            RequestMeters meters,
            Observations observations,
            Function<String, Optional<PageId>> pages) {
        return new ServedObjectStore(inner, new Retries(tasks, policy, meters), meters, tasks, observations, pages);
    }
}
