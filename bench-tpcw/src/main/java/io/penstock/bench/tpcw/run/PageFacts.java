package io.penstock.bench.tpcw.run;

import io.penstock.bench.tpcw.bookstore.AdminConfirm;
import io.penstock.bench.tpcw.bookstore.BuyConfirm;
import io.penstock.bench.tpcw.bookstore.BuyRequest;
import io.penstock.bench.tpcw.bookstore.Interaction;
import io.penstock.bench.tpcw.bookstore.OrderDisplay;
import io.penstock.bench.tpcw.bookstore.Purchase;
import io.penstock.bench.tpcw.bookstore.Purchase.StockChange;
import io.penstock.bench.tpcw.bookstore.ShoppingCart;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The content that a page showed and wrote, as far as anomalies are found by it.
 *
 * @param items the items, as they were read
 * @param changes of items
 * @param ordered the order that was inserted, if one was
 * @param cartRead the cart as it was read, if it was
 * @param cartStored the cart as it was stored, if it was
 * @param lastOrder of the customer, if the page was asked for it
 */
public record PageFacts(
        List<Seen> items,
        List<StockChange> changes,
        @Nullable Ordered ordered,
        @Nullable CartState cartRead,
        @Nullable CartState cartStored,
        @Nullable Ordered lastOrder) {
    /** An item in the state that {@code change} made. */
    public record Seen(long item, long change) {}

    /** An order and how many lines it has; 0 and 0 for none. */
    public record Ordered(long order, int lines) {}

    /** A version of a cart. */
    public record CartState(long cart, long version) {}

    /** The facts of a page. */
    public static PageFacts of(Interaction.Shown shown) {
        List<Seen> items = shown.items().stream()
                .map(item -> new Seen(item.id(), item.stockOrder()))
                .toList();
        return switch (shown) {
            case BuyConfirm.Shown bought -> {
                Purchase purchase = bought.purchase();
                Ordered order =
                        new Ordered(purchase.order().id(), purchase.lines().size());
                yield new PageFacts(items, purchase.stock(), order, null, null, null);
            }
            case AdminConfirm.Shown admin -> new PageFacts(items, List.of(admin.change()), null, null, null, null);
            case ShoppingCart.Shown cart -> {
                CartState read = new CartState(cart.cart().id(), cart.versionRead());
                CartState stored = new CartState(cart.cart().id(), cart.cart().version());
                yield new PageFacts(items, List.of(), null, read, stored, null);
            }
            case BuyRequest.Shown request -> {
                CartState read =
                        new CartState(request.cart().id(), request.cart().version());
                yield new PageFacts(items, List.of(), null, read, null, null);
            }
            case OrderDisplay.Shown display -> new PageFacts(items, List.of(), null, null, null, last(display.last()));
            case Interaction.Shown other -> new PageFacts(items, List.of(), null, null, null, null);
        };
    }

    private static Ordered last(OrderDisplay.@Nullable Last last) {
        return last == null
                ? new Ordered(0, 0)
                : new Ordered(last.order().id(), last.lines().size());
    }
}
