package io.penstock.report;

import java.util.List;

/**
 * The sizes of a store, as one walk over it found them: exact if no client writes meanwhile.
 *
 * @param trees of all collections, each followed by its indexes
 * @param kinds of objects, by what they are for
 * @param logs of the store's domains, without those whose horizon cannot be read
 * @param unreadable collections whose definitions cannot be read; their trees are left out
 */
public record StoreStats(List<Tree> trees, List<Objects> kinds, List<LogStats> logs, List<String> unreadable) {
    public StoreStats {
        trees = List.copyOf(trees);
        kinds = List.copyOf(kinds);
        logs = List.copyOf(logs);
        unreadable = List.copyOf(unreadable);
    }

    /**
     * One tree.
     *
     * @param index the secondary index; empty for the collection's records themselves
     * @param height levels; 0 for a tree to which nothing was applied yet
     * @param pages leaves and inner pages
     * @param bytes of all pages
     * @param storedBytes of the objects below the tree's folder: less where pages are compressed, more by what nothing
     *     refers to any more
     * @param records that live; of an index, its entries
     * @param tombstones traces of deleted records, not yet purged
     * @param leafFill the average fill of leaves, against the size at which they split: 0 to 1, and a little above
     */
    public record Tree(
            String collection,
            String index,
            int height,
            long pages,
            long bytes,
            long storedBytes,
            long records,
            long tombstones,
            double leafFill) {}

    /**
     * The objects below one folder of the store's prefix.
     *
     * @param folder such as {@code pages}
     */
    public record Objects(String folder, long count, long bytes) {}
}
