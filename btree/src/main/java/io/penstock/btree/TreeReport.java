package io.penstock.btree;

import io.penstock.core.PageId;
import java.util.List;

/**
 * The result of a {@link TreeCheck}.
 *
 * @param violations things that must never be; empty for a sound tree
 * @param notes legal but unusual things: pages that their parent does not know yet
 * @param levels from the leaves up; empty for a tree without pages
 */
public record TreeReport(List<Violation> violations, List<Violation> notes, List<Level> levels) {
    public TreeReport {
        violations = List.copyOf(violations);
        notes = List.copyOf(notes);
        levels = List.copyOf(levels);
    }

    /**
     * One fault of a tree.
     *
     * @param page the page with the fault
     * @param rule the rule that is broken
     * @param detail the finding; without bytes of keys or payloads
     */
    public record Violation(PageId page, String rule, String detail) {}

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

    /** Returns the number of live records. */
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

    /** The average fill of leaves, relative to {@code leafBytesTarget}; 0 for an empty tree. */
    public double leafFill(int leafBytesTarget) {
        if (levels.isEmpty()) {
            return 0;
        }
        Level leaves = levels.getFirst();
        return (double) leaves.bytes() / leaves.pages() / leafBytesTarget;
    }
}
