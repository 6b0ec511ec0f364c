package io.penstock.core.pool;

import io.penstock.core.TreeId;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The trees whose pages are due although they are young: a page of such a tree counts only if the store was asked after
 * a certain time. Many threads may look; those that add hold a lock of their own.
 */
final class CheckAgain {
    /** Trees that are remembered before the first look for those that no longer matter. */
    private static final int TREES_MIN = 1_000;

    private final long ageMaxNanos;
    private final ConcurrentHashMap<TreeId, Long> after = new ConcurrentHashMap<>();

    /** The time for all trees; null: none. */
    private volatile @Nullable Long all;

    /** The newest of these times; null: none. */
    private volatile @Nullable Long newest;

    /** The number of trees at which those are left out whose time is long ago. */
    private int treesMax = TREES_MIN;

    /** @param ageMaxNanos the age from which all pages are due anyway */
    CheckAgain(long ageMaxNanos) {
        this.ageMaxNanos = ageMaxNanos;
    }

    void add(TreeId tree, long nanos) {
        after.merge(tree, nanos, CheckAgain::later);
        newest = later(nanos, newest);
        if (after.size() > treesMax) {
            after.values().removeIf(time -> time - (nanos - ageMaxNanos) < 0);
            treesMax = Math.max(TREES_MIN, after.size() * 2);
        }
    }

    /** Adds a time for all trees. */
    void addAll(long nanos) {
        all = later(nanos, all);
        newest = later(nanos, newest);
    }

    private static Long later(Long nanos, @Nullable Long known) {
        return known == null || nanos - known > 0 ? nanos : known;
    }

    /** @param oldest the time of the last check from which a page counts by its age */
    boolean isDue(TreeId tree, long checkedNanos, long oldest) {
        Long last = newest;
        if (last == null || last - oldest < 0) {
            return false;
        }
        return isAfter(all, checkedNanos) || isAfter(after.get(tree), checkedNanos);
    }

    private static boolean isAfter(@Nullable Long time, long checkedNanos) {
        // At the same moment the store may have been asked before.
        return time != null && checkedNanos - time <= 0;
    }
}
