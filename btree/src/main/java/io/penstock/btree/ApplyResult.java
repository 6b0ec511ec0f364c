package io.penstock.btree;

import io.penstock.core.Bytes;
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
 */
public record ApplyResult(
        int pagesPut,
        int splits,
        int applied,
        int superseded,
        int conflicts,
        List<MarkedChanges> marked,
        List<Bytes> unreferenced) {
    public static final ApplyResult NONE = new ApplyResult(0, 0, 0, 0, 0);

    public ApplyResult {
        marked = List.copyOf(marked);
        unreferenced = List.copyOf(unreferenced);
    }

    public ApplyResult(int pagesPut, int splits, int applied, int superseded, int conflicts) {
        this(pagesPut, splits, applied, superseded, conflicts, List.of(), List.of());
    }

    public ApplyResult plus(ApplyResult other) {
        return new ApplyResult(
                pagesPut + other.pagesPut,
                splits + other.splits,
                applied + other.applied,
                superseded + other.superseded,
                conflicts + other.conflicts,
                joined(marked, other.marked),
                joined(unreferenced, other.unreferenced));
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
