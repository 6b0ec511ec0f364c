package io.penstock.commit.query;

import io.penstock.commit.session.KnownLeaf;
import io.penstock.commit.session.RecordReader;
import io.penstock.core.Bytes;
import io.penstock.core.record.KeyRange;
import io.penstock.query.Query;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The leaves that summaries leave over, in the order in which a query reads them. For one thread. */
public final class LeavesLeft {
    private final Query query;
    private final List<KeyRange> ranges;
    private final Summaries summaries;
    private final Consumer<KnownLeaf> prefetch;
    private final Map<KeyRange, Summaries.Leaf> inOrder = new HashMap<>();
    private NavigableMap<Bytes, KnownLeaf> expected = new TreeMap<>();
    private int skipped;

    /**
     * @param ranges of the query
     * @param prefetch starts to read a leaf
     */
    public LeavesLeft(Query query, List<KeyRange> ranges, Summaries summaries, Consumer<KnownLeaf> prefetch) {
        this.query = query;
        this.ranges = ranges;
        this.summaries = summaries;
        this.prefetch = prefetch;
    }

    /**
     * The summaries of leaves that are proven to be as they were. What is read anyway, whether it has changed or not,
     * is asked for meanwhile.
     *
     * @param ahead the most leaves to ask for
     */
    public Summaries proven(RecordReader.Unchanged unchanged, int ahead) {
        summaries.expected(query).stream().limit(ahead).forEach(leaf -> prefetch.accept(leaf.leaf()));
        return summaries.only(unchanged.among(summaries.asked(query)));
    }

    /**
     * The ranges to read, leaf by leaf, so that each is announced. What is not proven is read first: it may have the
     * first rows of an order, so that fewer leaves are read.
     */
    public List<KeyRange> without(Summaries proven) {
        expected = proven.expected(query, summaries);
        List<KeyRange> left = new ArrayList<>(
                KeyRanges.divided(KeyRanges.without(ranges, proven.ranges()), expected.navigableKeySet()));
        for (Summaries.Leaf leaf : proven.undecided(query)) {
            inOrder.put(leaf.leaf().range(), leaf);
            left.add(leaf.leaf().range());
        }
        skipped = proven.leaves().size();
        return left;
    }

    /** The number of leaves that are skipped so far. */
    public int skipped() {
        return skipped;
    }

    /** Starts to read the leaf at the beginning of a range. */
    public void announce(KeyRange range) {
        Map.Entry<Bytes, KnownLeaf> leaf = expected.floorEntry(range.from());
        if (leaf != null && leaf.getValue().range().contains(range.from())) {
            prefetch.accept(leaf.getValue());
        }
    }

    /**
     * Whether a range must be read, when its turn has come.
     *
     * @param mayHave whether values from one on can be among the first of the query's order
     */
    public boolean isWanted(KeyRange range, Predicate<@Nullable Bytes> mayHave) {
        Summaries.Leaf leaf = inOrder.get(range);
        boolean wanted = leaf == null || mayHave.test(leaf.first());
        skipped -= leaf != null && wanted ? 1 : 0;
        return wanted;
    }
}
