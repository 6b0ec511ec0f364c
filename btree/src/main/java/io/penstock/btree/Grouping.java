package io.penstock.btree;

import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The division of sorted items into groups, one for each node that parents name for them. Parents may be outdated, and
 * then a group spans several nodes. But no node ever gets two groups, because a separator is a node's bound for good.
 * What damage hides is a group too: the work on it finds the damage again. Safe for use by many threads.
 */
final class Grouping {
    private final Descent descent;

    Grouping(Descent descent) {
        this.descent = descent;
    }

    /** @param missed takes entries that parents on the way seem to lack */
    <T> List<List<T>> groups(NodeEdit<T> edit, List<T> items, List<Descent.MissedLink> missed) {
        if (!hasParents(edit)) {
            return List.of(items);
        }
        List<List<T>> groups = new ArrayList<>();
        for (int from = 0; from < items.size(); ) {
            int to = firstAtLeast(edit, items, from, bound(edit, edit.keyOf(items.get(from)), missed));
            groups.add(items.subList(from, to));
            from = to;
        }
        return groups;
    }

    private boolean hasParents(NodeEdit<?> edit) {
        try {
            return descent.isPooledRootAbove(edit.level());
        } catch (CorruptDataException damagedRoot) {
            return false;
        }
    }

    /** The upper bound of the group that begins with {@code key}; null: +infinity. */
    private @Nullable Bytes bound(NodeEdit<?> edit, Bytes key, List<Descent.MissedLink> missed) {
        Optional<Descent.Found> parent;
        try {
            parent = descent.to(key, edit.level() + 1);
        } catch (CorruptDataException damaged) {
            return descent.hidden(key, edit.level()).high();
        }
        if (parent.isEmpty()) {
            return null;
        }
        missed.addAll(parent.get().missed());
        return Descent.upperBound(parent.get().page().image(), key);
    }

    /** The index of the first item from {@code from} on whose key is not below {@code bound}, or else of the end. */
    static <T> int firstAtLeast(NodeEdit<T> edit, List<T> items, int from, @Nullable Bytes bound) {
        int next = bound == null ? items.size() : from;
        while (bound != null
                && next < items.size()
                && edit.keyOf(items.get(next)).compareTo(bound) < 0) {
            next++;
        }
        return next;
    }
}
