package io.penstock.bench.tpcw.bookstore;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A shopping cart with its lines: SHOPPING_CART and SHOPPING_CART_LINE in one record, since they are never read apart.
 *
 * @param version 1 for the first that was stored, then one more each time: distinguishes an old state from a new one
 * @param lines one for each item
 */
public record Cart(long id, long version, List<Line> lines) {
    /** The most copies of one item: with the restocking of Buy Confirm, its stock then never falls below zero. */
    public static final int QUANTITY_MAX = 20;

    /** The most lines (clause 2.4). */
    public static final int LINES_MAX = 100;

    /** An item and how many of it. */
    public record Line(long itemId, int quantity) {}

    /** A new cart. */
    public static Cart empty(long id) {
        return new Cart(id, 0, List.of());
    }

    /** Returns this cart with one more of {@code itemId}, as its next version. */
    public Cart plus(long itemId) {
        int present = lines.stream()
                .filter(line -> line.itemId == itemId)
                .mapToInt(Line::quantity)
                .sum();
        return with(Map.of(itemId, present + 1));
    }

    /** Returns this cart with these numbers of items, 0 to take one out, as its next version. */
    public Cart with(Map<Long, Integer> quantities) {
        quantities.values().forEach(Cart::requireQuantity);
        List<Line> changed = new ArrayList<>();
        for (Line line : lines) {
            changed.add(new Line(line.itemId, quantities.getOrDefault(line.itemId, line.quantity)));
        }
        quantities.forEach((item, quantity) -> {
            if (lines.stream().noneMatch(line -> line.itemId == item)) {
                changed.add(new Line(item, quantity));
            }
        });
        changed.removeIf(line -> line.quantity == 0);
        if (changed.size() > LINES_MAX) {
            throw new ShopException("A cart holds " + LINES_MAX + " different items. Buy these first.");
        }
        return new Cart(id, version + 1, List.copyOf(changed));
    }

    private static void requireQuantity(int quantity) {
        if (quantity < 0 || quantity > QUANTITY_MAX) {
            throw new ShopException("Give a quantity from 0 to " + QUANTITY_MAX + ".");
        }
    }
}
