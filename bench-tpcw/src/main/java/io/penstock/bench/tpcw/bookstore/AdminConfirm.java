package io.penstock.bench.tpcw.bookstore;

import io.penstock.bench.tpcw.bookstore.Purchase.StockChange;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Changes an item: cost, images, date of publication, and the five items related to it, which become those most bought
 * by its buyers. Scans the latest 10,000 orders and their lines; reads and writes the item.
 */
public record AdminConfirm(long itemId, long costCents, String image, String thumbnail)
        implements Interaction<AdminConfirm.Shown> {
    private static final int ORDERS = 10_000;
    private static final int RELATED = 5;
    private static final long COST_MAX = 999_999;

    /**
     * @param change the link that this makes in the item's chain
     * @param items the item before
     */
    public record Shown(StockChange change, List<Item> items) implements Interaction.Shown {}

    @Override
    public Shown run(Visit visit) {
        if (costCents < 1 || costCents > COST_MAX) {
            throw new ShopException("Give a cost from $0.01 to $9,999.99.");
        }
        Map<Long, Long> together = RecentOrders.read(visit.tables(), ORDERS).soldTogetherWith(itemId);
        Item before = visit.item(itemId);
        Item.Edit edit = new Item.Edit(
                costCents, image, thumbnail, visit.now().toLocalDate(), related(together, before.related()));
        Item after = before.edited(edit, visit.newId());
        visit.tx().put(visit.tables().items(), itemId, after);
        return new Shown(StockChange.between(before, after), List.of(before));
    }

    /** Returns the items most bought together with this one; if they are too few, some of the old ones too. */
    static List<Long> related(Map<Long, Long> together, List<Long> before) {
        Comparator<Map.Entry<Long, Long>> mostFirst =
                Comparator.comparing((Map.Entry<Long, Long> sold) -> -sold.getValue());
        Set<Long> related = new LinkedHashSet<>();
        together.entrySet().stream()
                .sorted(mostFirst.thenComparing(Map.Entry::getKey))
                .limit(RELATED)
                .forEach(sold -> related.add(sold.getKey()));
        related.addAll(before);
        return related.stream().limit(RELATED).toList();
    }
}
