package io.penstock.bench.tpcw.bookstore;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Locale;

/**
 * Signs a customer in, or registers one, and shows what would be bought. Scans customers by user name, or writes an
 * address and a customer; writes when the customer signed in; reads the address, its country, the cart and its items.
 */
public record BuyRequest(long cartId, Buyer buyer) implements Interaction<BuyRequest.Shown> {
    private static final int SIGNED_IN_HOURS = 2;
    private static final int DISCOUNT_PERCENT = 0;

    /** The customer that buys. */
    public sealed interface Buyer {}

    /** A customer of before. */
    public record Returning(String userName, String password) implements Buyer {}

    /** A new customer. User name and password are made from the id, as for the customers of the population. */
    public record Newcomer(
            String firstName,
            String lastName,
            Home address,
            String phone,
            String email,
            LocalDate birthdate,
            String data)
            implements Buyer {}

    /** A place to live, or to ship to. */
    public record Home(String street1, String street2, String city, String state, String zip, long countryId) {
        Address at(long id) {
            return new Address(id, street1, street2, city, state, zip, countryId);
        }
    }

    /** The content of the page. */
    public record Shown(Customer customer, Address address, Country country, Cart cart, List<Item> items)
            implements Interaction.Shown {}

    @Override
    public Shown run(Visit visit) {
        Cart cart = visit.filledCart(cartId);
        LocalDateTime now = visit.now();
        Customer known = switch (buyer) {
            case Returning returning -> visit.signIn(returning.userName, returning.password);
            case Newcomer newcomer -> register(visit, newcomer);
        };
        Customer customer = known.signedIn(now, now.plusHours(SIGNED_IN_HOURS));
        visit.tx().put(visit.tables().customers(), customer.id(), customer);
        Address address = visit.require(visit.tables().addresses(), customer.addressId(), "address");
        Country country = visit.require(visit.tables().countries(), address.countryId(), "country");
        return new Shown(customer, address, country, cart, visit.itemsOf(cart));
    }

    private static Customer register(Visit visit, Newcomer newcomer) {
        long id = visit.newId();
        long addressId = visit.newId();
        visit.tx().put(visit.tables().addresses(), addressId, newcomer.address.at(addressId));
        String userName = Draws.digSyl(id, 0);
        LocalDateTime now = visit.now();
        return new Customer(
                id,
                userName,
                userName.toLowerCase(Locale.ROOT),
                newcomer.firstName,
                newcomer.lastName,
                addressId,
                newcomer.phone,
                newcomer.email,
                now.toLocalDate(),
                now.toLocalDate(),
                now,
                now.plusHours(SIGNED_IN_HOURS),
                DISCOUNT_PERCENT,
                0,
                0,
                newcomer.birthdate,
                newcomer.data);
    }
}
