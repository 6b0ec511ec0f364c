package io.penstock.btree;

import java.util.List;

/**
 * What {@link TreeCheck} found.
 *
 * @param violations what must never be; empty for a sound tree
 * @param notes what is legal but unusual: pages that their parent does not know yet
 * @param levels from the leaves up; empty for a tree without pages
 */
public record TreeReport(List<Violation> violations, List<Violation> notes, List<Level> levels) {
    public TreeReport {
        violations = List.copyOf(violations);
        notes = List.copyOf(notes);
        levels = List.copyOf(levels);
    }

    /**
     * One level of the tree.
     *
     * @param level 0 for the leaves
     * @param entries records and tombstones of leaves, children of inner pages
     * @param tombstones traces of deleted records
     * @param bytes of all pages
     */
    public record Level(int level, long pages, long entries, long tombstones, long bytes) {}

    public boolean isSound() {
        return violations.isEmpty();
    }

    /** Live records. */
    public long records() {
        return levels.isEmpty()
                ? 0
                : levels.getFirst().entries() - levels.getFirst().tombstones();
    }

    public long tombstones() {
        return levels.isEmpty() ? 0 : levels.getFirst().tombstones();
    }

    public long pages() {
        return levels.stream().mapToLong(Level::pages).sum();
    }

    /** How full leaves are on average, against {@code leafBytesTarget}; 0 for an empty tree. */
    public double leafFill(int leafBytesTarget) {
        if (levels.isEmpty()) {
            return 0;
        }
        Level leaves = levels.getFirst();
        return (double) leaves.bytes() / leaves.pages() / leafBytesTarget;
    }
}
