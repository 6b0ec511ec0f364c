package io.penstock.btree;

import java.util.ArrayList;
import java.util.List;

/**
 * What {@link TreeWriter#apply} did.
 *
 * @param pagesPut pages written, new ones included
 * @param splits pages that were split
 * @param applied changes that are in the tree now
 * @param superseded changes that lost to a stamp at least as new
 * @param conflicts writes that met another writer's and were done again
 * @param landed the changes, superseded ones too, that met leaves with an index epoch above 0
 */
public record ApplyResult(int pagesPut, int splits, int applied, int superseded, int conflicts, List<Landing> landed) {
    public static final ApplyResult NONE = new ApplyResult(0, 0, 0, 0, 0);

    public ApplyResult {
        landed = List.copyOf(landed);
    }

    public ApplyResult(int pagesPut, int splits, int applied, int superseded, int conflicts) {
        this(pagesPut, splits, applied, superseded, conflicts, List.of());
    }

    public ApplyResult plus(ApplyResult other) {
        return new ApplyResult(
                pagesPut + other.pagesPut,
                splits + other.splits,
                applied + other.applied,
                superseded + other.superseded,
                conflicts + other.conflicts,
                joined(landed, other.landed));
    }

    private static List<Landing> joined(List<Landing> a, List<Landing> b) {
        if (a.isEmpty() || b.isEmpty()) {
            return a.isEmpty() ? b : a;
        }
        List<Landing> both = new ArrayList<>(a);
        both.addAll(b);
        return both;
    }
}
