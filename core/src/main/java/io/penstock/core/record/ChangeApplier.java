package io.penstock.core.record;

import io.penstock.core.Bytes;
import io.penstock.core.Stamp;
import io.penstock.core.overflow.OverflowParts;
import io.penstock.core.overflow.OverflowReference;
import io.penstock.core.page.LeafEntries;
import io.penstock.core.page.PageImage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Applies changes to a leaf: for each record the last stamp wins. That makes it idempotent and commutative, so
 * redelivery and reordering are harmless. A delete leaves a tombstone, so that an older put that arrives later still
 * loses.
 *
 * <p>Pure: no I/O, no state beyond one call.
 */
public final class ChangeApplier {
    private final PageImage leaf;
    private final List<RecordChange> changes;
    private final long purgeBeforeMillis;
    private final long expiredBeforeMillis;
    private final LeafEntries.Builder merged;
    private int applied;
    private int superseded;
    private int purged;
    private final List<OverflowReference> unreferenced = new ArrayList<>();

    /** The objects of all that has lost of one record. */
    private final List<OverflowReference> lost = new ArrayList<>();

    /**
     * The result of one call.
     *
     * @param entries the merged leaf; use it only if something was applied
     * @param applied changes that won
     * @param superseded changes that lost to a stamp at least as new, including their own repeats
     * @param purged tombstones that were dropped because of their age, and records that were because they had expired
     * @param unreferenced references to overflow objects that lost to a newer change, on the page or on their way to
     *     it. Once the page is written, no page will ever name them again
     */
    public record Applied(
            LeafEntries entries, int applied, int superseded, int purged, List<OverflowReference> unreferenced) {}

    private ChangeApplier(
            PageImage leaf, List<RecordChange> changes, long purgeBeforeMillis, long expiredBeforeMillis) {
        this.leaf = leaf;
        this.changes = changes;
        this.purgeBeforeMillis = purgeBeforeMillis;
        this.expiredBeforeMillis = expiredBeforeMillis;
        this.merged = LeafEntries.builder(leaf);
    }

    /**
     * Applies {@code changes}, sorted by key, repeats of a key allowed.
     *
     * @param purgeBeforeMillis tombstones whose stamp is older are dropped; milliseconds since 1970. No change as old
     *     as that may be applied any more
     */
    public static Applied apply(PageImage leaf, List<RecordChange> changes, long purgeBeforeMillis) {
        return apply(leaf, changes, purgeBeforeMillis, Long.MIN_VALUE);
    }

    /**
     * Applies {@code changes} as {@link #apply(PageImage, List, long)} does, and makes expired records tombstones.
     *
     * @param expiredBeforeMillis records that expired before this become tombstones with their stamps, so that what is
     *     older than they were still loses
     */
    public static Applied apply(
            PageImage leaf, List<RecordChange> changes, long purgeBeforeMillis, long expiredBeforeMillis) {
        return new ChangeApplier(leaf, changes, purgeBeforeMillis, expiredBeforeMillis).run();
    }

    private Applied run() {
        int kept = 0;
        int next = 0;
        while (next < changes.size()) {
            RecordChange newest = changes.get(next++);
            while (next < changes.size() && changes.get(next).key().equals(newest.key())) {
                RecordChange other = changes.get(next++);
                boolean isNewer = other.stamp().isAfter(newest.stamp());
                lose(reference(isNewer ? newest : other));
                newest = isNewer ? other : newest;
                superseded++;
            }
            int found = leaf.find(newest.key());
            int insertion = found >= 0 ? found : -found - 1;
            keep(kept, insertion);
            kept = insertion;
            if (found < 0) {
                add(newest);
                settle(reference(newest));
            } else if (leaf.isNewer(newest.stamp(), found)) {
                lose(reference(found));
                add(newest);
                kept++;
                settle(reference(newest));
            } else {
                lose(reference(newest));
                superseded++;
                settle(reference(found));
            }
        }
        keep(kept, leaf.count());
        return new Applied(merged.build(), applied, superseded, purged, unreferenced);
    }

    /** The references of a change to its payload; null when it has the payload itself, or none. */
    private static @Nullable Bytes reference(RecordChange change) {
        return change.isReference() ? change.payloadOrNull() : null;
    }

    private @Nullable Bytes reference(int index) {
        return leaf.isReference(index) ? leaf.payload(index) : null;
    }

    private void lose(@Nullable Bytes loser) {
        if (loser != null) {
            lost.addAll(OverflowParts.decode(loser).objects());
        }
    }

    /**
     * Notes what nothing refers to any more once one of a record's payloads has won, which may have objects of those
     * that lost: of what was appended to, and of itself, delivered twice.
     */
    private void settle(@Nullable Bytes winner) {
        if (lost.isEmpty()) {
            return; // almost always
        }
        if (winner != null) {
            lost.removeAll(OverflowParts.decode(winner).objects());
        }
        unreferenced.addAll(lost);
        lost.clear();
    }

    private void keep(int from, int to) {
        if (leaf.isPlain()) {
            merged.keep(from, to);
            return;
        }
        for (int i = from; i < to; i++) {
            boolean expired = leaf.expiryMillis(i) < expiredBeforeMillis;
            if (expired) {
                lose(reference(i));
                settle(null);
            }
            boolean old = (expired || leaf.isTombstone(i)) && isOld(leaf.time(i) >>> Stamp.COUNTER_BITS);
            if (expired && !old) {
                merged.tombstone(leaf.key(i), leaf.stamp(i));
            } else if (!old) {
                merged.keep(i);
            }
            purged += expired || old ? 1 : 0;
        }
    }

    private void add(RecordChange change) {
        Bytes key = change.key();
        switch (change) {
            case RecordChange.Put put ->
                merged.put(key, put.payload(), put.isReference(), put.expiryMillis(), put.stamp());
            case RecordChange.Delete delete -> {
                // An old tombstone would be purged at once. The page is written even without a record to remove: that
                // fails the put of an older change which is still on its way.
                if (!isOld(delete.stamp().millis())) {
                    merged.tombstone(key, delete.stamp());
                }
            }
        }
        applied++;
    }

    private boolean isOld(long millis) {
        return millis < purgeBeforeMillis;
    }
}
