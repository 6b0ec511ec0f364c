package io.penstock.bench.tpcw.bookstore;

import java.time.LocalDate;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Buys what is in the cart. Reads the cart, the customer, the items and an address; writes the stock of each item, the
 * order, its lines, the payment and perhaps a new address; deletes the cart. The payment is not authorized.
 *
 * @param shipTo null for the customer's own address
 */
public record BuyConfirm(
        long cartId, long customerId, Card card, String shipType, String comments, BuyRequest.@Nullable Home shipTo)
        implements Interaction<BuyConfirm.Shown> {
    private static final String AUTHORIZATION = "NOT-AUTHORIZED-";

    /** A credit card. */
    public record Card(String type, String number, String name, LocalDate expiry) {}

    /** @param items those bought, as they were read */
    public record Shown(Purchase purchase, List<Item> items) implements Interaction.Shown {}

    @Override
    public Shown run(Visit visit) {
        if (!Population.SHIP_TYPES.contains(shipType) || !Population.CARDS.contains(card.type)) {
            throw new ShopException("Choose a card and a way to ship from the list.");
        }
        Cart cart = visit.filledCart(cartId);
        Customer customer = visit.require(visit.tables().customers(), customerId, "customer");
        List<Item> items = visit.itemsOf(cart);
        Address address = shippingAddress(visit, customer);
        Purchase.Terms terms = new Purchase.Terms(visit.newId(), visit.now().toLocalDate(), shipType, address.id());
        Purchase purchase = Purchase.of(customer, positions(cart, items), terms);
        purchase.put(visit.tx(), visit.tables());
        visit.tx().put(visit.tables().cardPayments(), terms.orderId(), payment(purchase, address));
        visit.tx().delete(visit.shop().carts(), cartId);
        return new Shown(purchase, items);
    }

    private Address shippingAddress(Visit visit, Customer customer) {
        if (shipTo == null) {
            return visit.require(visit.tables().addresses(), customer.addressId(), "address");
        }
        Address added = shipTo.at(visit.newId());
        visit.tx().put(visit.tables().addresses(), added.id(), added);
        return added;
    }

    private List<Purchase.Position> positions(Cart cart, List<Item> items) {
        return IntStream.range(0, items.size())
                .mapToObj(i ->
                        new Purchase.Position(items.get(i), cart.lines().get(i).quantity(), comments))
                .toList();
    }

    private CardPayment payment(Purchase purchase, Address address) {
        return new CardPayment(
                purchase.order().id(),
                card.type,
                card.number,
                card.name,
                card.expiry,
                AUTHORIZATION,
                purchase.order().totalCents(),
                purchase.order().date(),
                address.countryId());
    }
}
