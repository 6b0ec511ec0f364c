package io.penstock.core.pool;

import io.penstock.core.TreeId;
import java.util.HashMap;
import java.util.Map;

/**
 * The trees whose pages are due although they are young: a page of such a tree counts only if the store was asked after
 * a certain time. Immutable.
 *
 * @param after the time for each tree
 * @param newest of these times
 */
record CheckAgain(Map<TreeId, Long> after, long newest) {
    static final CheckAgain NOTHING = new CheckAgain(Map.of(), 0);

    /** The same with another tree; without those whose pages of that age are due anyway, at {@code oldest}. */
    CheckAgain with(TreeId tree, long nanos, long oldest) {
        Map<TreeId, Long> next = new HashMap<>();
        after.forEach((known, time) -> {
            if (time - oldest >= 0) {
                next.put(known, time);
            }
        });
        next.merge(tree, nanos, (a, b) -> a - b >= 0 ? a : b);
        return new CheckAgain(Map.copyOf(next), after.isEmpty() || nanos - newest > 0 ? nanos : newest);
    }

    /** @param oldest the time of the last check from which a page counts by its age */
    boolean isDue(TreeId tree, long checkedNanos, long oldest) {
        if (after.isEmpty() || newest - oldest < 0) {
            return false;
        }
        Long time = after.get(tree);
        // At the same moment the store may have been asked before.
        return time != null && checkedNanos - time <= 0;
    }
}
