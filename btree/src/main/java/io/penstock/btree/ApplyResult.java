package io.penstock.btree;

import io.penstock.core.CorruptDataException;
import io.penstock.core.PageId;
import io.penstock.core.overflow.OverflowReference;
import io.penstock.core.record.RecordChange;
import java.util.ArrayList;
import java.util.List;

/**
 * The counts and the remains of one {@link TreeWriter#apply}.
 *
 * @param pagesPut pages written, new ones included
 * @param splits pages that were split
 * @param applied changes that are in the tree now
 * @param superseded changes that lost to a stamp at least as new
 * @param conflicts writes that conflicted with another writer's and were repeated
 * @param marked the changes, superseded ones too, to leaves with an index epoch above 0
 * @param unreferenced references to overflow objects that no page of the tree names, or will ever name again
 * @param refused the changes that damaged pages keep from being applied
 */
public record ApplyResult(
        int pagesPut,
        int splits,
        int applied,
        int superseded,
        int conflicts,
        List<Marked> marked,
        List<OverflowReference> unreferenced,
        List<Refused> refused) {
    /**
     * The changes that one damaged page keeps from being applied.
     *
     * @param page the damaged page, or one on the way to it: what is below it cannot be reached
     * @param changes in the order given; empty when only entries of inner pages are missing, which costs readers steps
     */
    public record Refused(PageId page, List<RecordChange> changes, CorruptDataException why) {
        public Refused {
            changes = List.copyOf(changes);
        }
    }

    /**
     * Changes to one leaf that an index build has visited already, so that the build will not index them.
     *
     * @param indexEpoch the epoch of the leaf, in the very version that has the changes or something newer in their
     *     place
     * @param changes sorted by key
     */
    public record Marked(long indexEpoch, List<RecordChange> changes) {}

    public static final ApplyResult NONE = new ApplyResult(0, 0, 0, 0, 0);

    public ApplyResult {
        marked = List.copyOf(marked);
        unreferenced = List.copyOf(unreferenced);
        refused = List.copyOf(refused);
    }

    public ApplyResult(int pagesPut, int splits, int applied, int superseded, int conflicts) {
        this(pagesPut, splits, applied, superseded, conflicts, List.of(), List.of(), List.of());
    }

    static ApplyResult refusal(Refused refused) {
        return new ApplyResult(0, 0, 0, 0, 0, List.of(), List.of(), List.of(refused));
    }

    /**
     * Returns this result, if nothing was refused.
     *
     * @throws CorruptDataException the reason of the first refusal
     */
    ApplyResult whole() {
        if (!refused.isEmpty()) {
            throw refused.getFirst().why();
        }
        return this;
    }

    public ApplyResult plus(ApplyResult other) {
        return new ApplyResult(
                pagesPut + other.pagesPut,
                splits + other.splits,
                applied + other.applied,
                superseded + other.superseded,
                conflicts + other.conflicts,
                joined(marked, other.marked),
                joined(unreferenced, other.unreferenced),
                joined(refused, other.refused));
    }

    /** Returns this result without the counts of changes: for the work on inner pages, which has none. */
    ApplyResult withoutCounts() {
        return new ApplyResult(pagesPut, splits, 0, 0, conflicts, List.of(), List.of(), refused);
    }

    private static <T> List<T> joined(List<T> a, List<T> b) {
        if (a.isEmpty() || b.isEmpty()) {
            return a.isEmpty() ? b : a;
        }
        List<T> both = new ArrayList<>(a);
        both.addAll(b);
        return both;
    }
}
