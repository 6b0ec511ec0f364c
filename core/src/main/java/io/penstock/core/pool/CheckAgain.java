package io.penstock.core.pool;

import io.penstock.core.TreeId;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The trees whose pages are due although they are young: a page of such a tree counts only if the store was asked after
 * a certain time. Immutable.
 *
 * @param after the time for each tree
 * @param all the time for all trees; null: none
 * @param newest of these times
 */
record CheckAgain(Map<TreeId, Long> after, @Nullable Long all, long newest) {
    static final CheckAgain NOTHING = new CheckAgain(Map.of(), null, 0);

    /** The same with another tree; without those whose pages of that age are due anyway, at {@code oldest}. */
    CheckAgain with(TreeId tree, long nanos, long oldest) {
        Map<TreeId, Long> next = new HashMap<>();
        after.forEach((known, time) -> {
            if (time - oldest >= 0) {
                next.put(known, time);
            }
        });
        next.merge(tree, nanos, (a, b) -> a - b >= 0 ? a : b);
        return new CheckAgain(Map.copyOf(next), all, newest(nanos));
    }

    /** The same for all trees. */
    CheckAgain withAll(long nanos) {
        return new CheckAgain(after, all == null || nanos - all > 0 ? (Long) nanos : all, newest(nanos));
    }

    private long newest(long nanos) {
        return isNothing() || nanos - newest > 0 ? nanos : newest;
    }

    private boolean isNothing() {
        return after.isEmpty() && all == null;
    }

    /** @param oldest the time of the last check from which a page counts by its age */
    boolean isDue(TreeId tree, long checkedNanos, long oldest) {
        if (isNothing() || newest - oldest < 0) {
            return false;
        }
        return isAfter(all, checkedNanos) || isAfter(after.get(tree), checkedNanos);
    }

    private static boolean isAfter(@Nullable Long time, long checkedNanos) {
        // At the same moment the store may have been asked before.
        return time != null && checkedNanos - time <= 0;
    }
}
