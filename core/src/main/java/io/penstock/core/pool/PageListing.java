package io.penstock.core.pool;

import io.penstock.core.PageId;
import io.penstock.core.TreeId;
import io.penstock.core.object.Listing;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectStores;
import io.penstock.core.object.ObjectVersion;
import io.penstock.core.task.Parallel;
import io.penstock.core.task.Tasks;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * A listing of the pages of a tree, a thousand a request, several requests at a time: page numbers are random, so where
 * each request should begin follows from the number of pages, which is expected or which the first request tells.
 *
 * @param prefix the common prefix of the keys of a store
 * @param counted is told of each request
 */
record PageListing(ObjectStore store, Tasks tasks, String prefix, TreeId tree, Runnable counted) {
    private static final int WIDTH = 16;

    /** The pages that a request is meant for: a few less than it lists, so that most need no second one. */
    private static final double EACH = 0.85 * ObjectStores.LIST_LIMIT;

    private static final double NUMBERS = Math.scalb(1.0, Long.SIZE);

    /**
     * The versions of all pages, by their numbers.
     *
     * @param expected the number of pages, roughly; 0 when it is not known
     */
    Map<Long, ObjectVersion> versions(long expected) {
        return expected > EACH ? ranges(PageId.NONE, expected) : listed();
    }

    private Map<Long, ObjectVersion> listed() {
        Map<Long, ObjectVersion> versions = new HashMap<>();
        Listing first = list("");
        add(first, versions);
        if (!first.more()) {
            return versions;
        }
        long last = versions.keySet().stream().max(Long::compareUnsigned).orElse(PageId.NONE);
        double share = unsigned(last) / NUMBERS;
        // The root's number is not random, so it says nothing of how many there are.
        versions.putAll(
                Long.compareUnsigned(last, PageId.ROOT) > 0
                        ? ranges(last, (1 - share) / share * versions.size())
                        : range(last, 0));
        return versions;
    }

    /** The versions of pages above a number, which are about so many. */
    private Map<Long, ObjectVersion> ranges(long after, double count) {
        int parts = (int) Math.clamp(count / EACH + 1, 1, 1 << 20);
        List<Integer> numbers = IntStream.range(0, parts).boxed().toList();
        Map<Long, ObjectVersion> versions = new HashMap<>();
        Parallel.map(tasks, WIDTH, numbers, part -> range(bound(after, part, parts), bound(after, part + 1, parts)))
                .forEach(versions::putAll);
        return versions;
    }

    /** The versions of pages above one number, and up to another; 0 for all above. */
    private Map<Long, ObjectVersion> range(long after, long upTo) {
        Map<Long, ObjectVersion> versions = new HashMap<>();
        Listing page;
        String at = key(after);
        do {
            page = list(at);
            add(page, versions);
            at = page.entries().isEmpty() ? at : page.entries().getLast().key();
        } while (page.more() && (upTo == 0 || at.compareTo(key(upTo)) < 0));
        return versions;
    }

    private String key(long number) {
        return PageNames.key(prefix, new PageId(tree, number));
    }

    /** The number at which a part begins; 0 behind the last. */
    private static long bound(long first, int part, int parts) {
        if (part == 0 || part == parts) {
            return part == 0 ? first : 0;
        }
        return first + Long.divideUnsigned(-1 - first, parts) * part;
    }

    private Listing list(String after) {
        counted.run();
        return store.list(PageNames.ofTree(prefix, tree), after, ObjectStores.LIST_LIMIT);
    }

    private void add(Listing listing, Map<Long, ObjectVersion> versions) {
        for (Listing.Entry entry : listing.entries()) {
            PageNames.at(prefix, entry.key()).ifPresent(page -> versions.put(page.number(), entry.version()));
        }
    }

    private static double unsigned(long number) {
        return number < 0 ? number + NUMBERS : number;
    }
}
