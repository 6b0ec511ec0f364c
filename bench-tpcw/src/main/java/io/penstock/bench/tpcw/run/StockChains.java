package io.penstock.bench.tpcw.run;

import io.penstock.bench.tpcw.bookstore.Item;
import io.penstock.bench.tpcw.bookstore.Purchase.StockChange;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Counts lost stock updates. Each change of an item's stock names the order it comes from and the order whose change it
 * saw. Followed back from the final state, these links are the changes that survive; any other acknowledged change was
 * overwritten by one that had not seen it. For one thread.
 */
public final class StockChains {
    /** The change of one order to one item. */
    private record Link(long item, long order) {}

    private final Map<Link, Long> previous = new HashMap<>();
    private final Map<Long, Set<Long>> acknowledged = new HashMap<>();

    /** A change that was acknowledged. */
    public void acknowledge(StockChange change) {
        link(change);
        acknowledged.computeIfAbsent(change.itemId(), key -> new HashSet<>()).add(change.order());
    }

    /** Adds a link for a change that may have happened: it is followed, but is no loss when it is missing. */
    public void link(StockChange change) {
        previous.put(new Link(change.itemId(), change.order()), change.previousOrder());
    }

    /** Acknowledged changes that do not survive, where {@code lastOrder} gives an item's final {@code stockOrder}. */
    public long lost(LongUnaryOperator lastOrder) {
        long lost = 0;
        for (Map.Entry<Long, Set<Long>> orders : acknowledged.entrySet()) {
            long item = orders.getKey();
            lost += orders.getValue().size() - survivors(item, lastOrder.applyAsLong(item), orders.getValue());
        }
        return lost;
    }

    /**
     * Returns whether {@code earlier} is one of the changes that {@code later} was built on. Ids grow with time, so the
     * way back ends where they get smaller than what is looked for.
     */
    public boolean precedes(long item, long earlier, long later) {
        @Nullable Long order = later;
        while (order != null && order > earlier) {
            order = previous.get(new Link(item, order));
        }
        return order != null && order == earlier && earlier != later;
    }

    private long survivors(long item, long last, Set<Long> known) {
        long survivors = 0;
        @Nullable Long order = last;
        // No order saw itself or a later one, so the walk ends. An unknown order ends it too.
        while (order != null && order != Item.FROM_POPULATION) {
            if (known.contains(order)) {
                survivors++;
            }
            order = previous.get(new Link(item, order));
        }
        return survivors;
    }
}
