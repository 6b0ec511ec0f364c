package io.penstock.bench.tpcw.bookstore;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A change of the cart, and the cart. Reads the cart, its items, one more item and the five related to it; writes the
 * cart if it changes.
 *
 * @param cartId null to begin one
 * @param added one copy of this item comes in, null for none
 * @param quantities new numbers of copies by item, 0 to take one out
 * @param itemId the item whose related items are promoted; it comes in if the cart would be empty
 */
public record ShoppingCart(@Nullable Long cartId, @Nullable Long added, Map<Long, Integer> quantities, long itemId)
        implements Interaction<ShoppingCart.Shown> {
    /**
     * @param inCart the items of the cart's lines, in their order
     * @param versionRead of the cart before the change
     */
    public record Shown(Cart cart, List<Item> inCart, List<Item> promotions, long versionRead)
            implements Interaction.Shown {
        @Override
        public List<Item> items() {
            List<Item> all = new ArrayList<>(inCart);
            all.addAll(promotions);
            return all;
        }

        /** The sum, without discount and shipping. */
        public long totalCents() {
            return IntStream.range(0, inCart.size())
                    .mapToLong(
                            i -> inCart.get(i).costCents() * cart.lines().get(i).quantity())
                    .sum();
        }
    }

    @Override
    public Shown run(Visit visit) {
        Cart before = cartId == null
                ? Cart.empty(visit.newId())
                : visit.tx().get(visit.shop().carts(), cartId).orElse(Cart.empty(cartId));
        Cart after = before;
        if (!quantities.isEmpty()) {
            after = after.with(quantities);
        }
        if (added != null) {
            after = after.plus(added);
        }
        if (after.lines().isEmpty()) {
            after = after.plus(itemId);
        }
        List<Item> inCart = visit.itemsOf(after);
        if (!after.equals(before)) {
            after = new Cart(after.id(), before.version() + 1, after.lines());
            visit.tx().put(visit.shop().carts(), after.id(), after);
        }
        return new Shown(after, inCart, visit.promotions(itemId), before.version());
    }
}
