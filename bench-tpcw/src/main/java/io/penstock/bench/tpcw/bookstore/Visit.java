package io.penstock.bench.tpcw.bookstore;

import io.penstock.Entry;
import io.penstock.RecordCollection;
import io.penstock.Scan;
import io.penstock.Transaction;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The context of an interaction: the shop's tables, its own transaction, the server's clock. For one thread. */
public record Visit(ShopServer server, Transaction tx) {
    /**
     * The number of random bits after the milliseconds of a new id: two servers hardly draw the same in one of them.
     */
    private static final int RANDOM_BITS = 20;

    Storefront shop() {
        return server.shop();
    }

    Bookstore tables() {
        return server.shop().tables();
    }

    BestSellerLists bestSellers() {
        return server.bestSellers();
    }

    /** An id above all earlier ones: the clock, then chance, so that no counter is needed that all servers write. */
    long newId() {
        return server.tasks().nowMillis() << RANDOM_BITS
                | server.tasks().random().nextLong(1L << RANDOM_BITS);
    }

    LocalDateTime now() {
        return LocalDateTime.ofInstant(Instant.ofEpochMilli(server.tasks().nowMillis()), ZoneOffset.UTC);
    }

    /** The record of that id, which the customer has named. */
    <V> V require(RecordCollection<Long, V> table, long id, String what) {
        return tx.get(table, id).orElseThrow(() -> new ShopException("There is no such " + what + "."));
    }

    Item item(long id) {
        return require(tables().items(), id, "item");
    }

    /** The five items related to one. */
    List<Item> promotions(long itemId) {
        return List.copyOf(tx.getAll(tables().items(), item(itemId).related()).values());
    }

    /** The customer of that name, if the password is right. The answer does not say which of the two is wrong. */
    Customer signIn(String userName, String password) {
        try (Scan<Entry<Long, Customer>> found = tx.scan(tables().customersByUserName(), userName)) {
            if (found.hasNext()) {
                Customer customer = found.next().value();
                if (customer.password().equals(password)) {
                    return customer;
                }
            }
        }
        throw new ShopException("User name or password is wrong.");
    }

    /** A cart that has something in it. */
    Cart filledCart(long id) {
        Cart cart = tx.get(shop().carts(), id).orElse(Cart.empty(id));
        if (cart.lines().isEmpty()) {
            throw new ShopException("The cart is empty. Put something into it first.");
        }
        return cart;
    }

    /** The items of a cart, in the order of its lines. */
    List<Item> itemsOf(Cart cart) {
        Map<Long, Item> found = tx.getAll(
                tables().items(), cart.lines().stream().map(Cart.Line::itemId).toList());
        List<Item> items = new ArrayList<>();
        for (Cart.Line line : cart.lines()) {
            Item item = found.get(line.itemId());
            if (item == null) {
                throw new ShopException("There is no such item.");
            }
            items.add(item);
        }
        return items;
    }

    /** The page of a scan. */
    Listed rows(Scan<Entry<Long, Storefront.Listing>> listings) {
        try (listings) {
            return withAuthors(listings.stream().toList());
        }
    }

    Listed withAuthors(List<Entry<Long, Storefront.Listing>> listings) {
        Map<Long, Author> authors = tx.getAll(
                tables().authors(),
                listings.stream().map(row -> row.value().authorId()).distinct().toList());
        return new Listed(listings.stream()
                .map(row -> new Row(
                        row.key(), row.value(), nameOf(authors.get(row.value().authorId()))))
                .toList());
    }

    private static String nameOf(@Nullable Author author) {
        return author == null ? "" : author.firstName() + " " + author.lastName();
    }

    /** A page with a list of items. */
    public record Listed(List<Row> rows) implements Interaction.Shown {}

    /** A row of a list: an item, with the name of its author. */
    public record Row(long itemId, Storefront.Listing listing, String author) {}
}
