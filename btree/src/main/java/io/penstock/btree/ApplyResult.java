package io.penstock.btree;

/**
 * What {@link TreeWriter#apply} did.
 *
 * @param pagesPut pages written, new ones included
 * @param splits pages that were split
 * @param applied changes that are in the tree now
 * @param superseded changes that lost to a stamp at least as new
 * @param conflicts writes that met another writer's and were done again
 */
public record ApplyResult(int pagesPut, int splits, int applied, int superseded, int conflicts) {
    public static final ApplyResult NONE = new ApplyResult(0, 0, 0, 0, 0);

    public ApplyResult plus(ApplyResult other) {
        return new ApplyResult(
                pagesPut + other.pagesPut,
                splits + other.splits,
                applied + other.applied,
                superseded + other.superseded,
                conflicts + other.conflicts);
    }
}
