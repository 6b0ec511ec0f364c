package io.penstock.commit.query;

import io.penstock.commit.session.KnownLeaf;
import io.penstock.core.TreeId;
import io.penstock.core.record.KeyRange;
import io.penstock.query.Condition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The summaries of the leaves in some ranges, asked with a condition. Immutable.
 *
 * @param possible the leaves that may have a record which fulfils it
 * @param impossible the leaves that have none, as long as they are as they were, in the order of their keys
 */
public record Summaries(List<KnownLeaf> possible, List<KnownLeaf> impossible) {
    /**
     * Asks the summaries of a tree.
     *
     * @param ranges of keys that matter
     */
    public static Summaries of(SummaryStore store, TreeId tree, List<KeyRange> ranges, Condition condition) {
        Condition normal = Conditions.normal(condition);
        List<KnownLeaf> possible = new ArrayList<>();
        List<KnownLeaf> impossible = new ArrayList<>();
        for (SummaryPart part : store.of(tree)) {
            Pruning pruning = new Pruning(normal, part.fields());
            for (LeafSummary leaf : part.leaves()) {
                KeyRange range = leaf.leaf().range();
                if (ranges.stream()
                        .anyMatch(wanted -> !Extent.common(wanted, range).isEmpty())) {
                    (pruning.isPossible(leaf) ? possible : impossible).add(leaf.leaf());
                }
            }
        }
        impossible.sort(Comparator.comparing(leaf -> leaf.range().from()));
        return new Summaries(possible, impossible);
    }
}
