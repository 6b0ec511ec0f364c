package io.penstock.bench.tpcw.bookstore;

import io.penstock.CoveringIndex;
import io.penstock.Index;
import io.penstock.Json;
import io.penstock.Keys;
import io.penstock.Keys.Pair;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import java.util.List;

/**
 * The bookstore with what its pages need beyond the tables: indexes, and carts.
 *
 * @param itemsBySubject the newest first
 * @param ordersByCustomer in the order they were made
 * @param indexes all of them, for a check
 */
public record Storefront(
        Bookstore tables,
        CoveringIndex<Pair<String, Long>, Long, Item, Listing> itemsBySubject,
        CoveringIndex<String, Long, Item, Listing> itemsByTitle,
        CoveringIndex<Long, Long, Item, Listing> itemsByAuthor,
        Index<String, Long, Author> authorsByName,
        Index<Long, Long, Order> ordersByCustomer,
        RecordCollection<Long, Cart> carts,
        List<Index<?, ?, ?>> indexes) {
    private static final String LISTING = "listing-1";

    /** Declares all collections and indexes; creates the missing ones. */
    public static Storefront open(Penstock store) {
        Bookstore tables = Bookstore.open(store);
        Index<Pair<String, Long>, Long, Item> bySubject = tables.items()
                .index(
                        "by-subject",
                        Keys.pair(Keys.string(), Keys.descending(Keys.longs())),
                        item -> new Pair<>(item.subject(), item.published().toEpochDay()));
        Index<String, Long, Item> byTitle = tables.items().index("by-title", Keys.string(), Item::title);
        Index<Long, Long, Item> byAuthor = tables.items().index("by-author", Keys.longs(), Item::authorId);
        Index<String, Long, Author> byName = tables.authors().index("by-name", Keys.string(), Author::lastName);
        Index<Long, Long, Order> byCustomer = tables.orders().index("by-customer", Keys.longs(), Order::customerId);
        Json<Listing> listing = Json.of(Listing.class);
        return new Storefront(
                tables,
                bySubject.including(LISTING, listing, Listing::of),
                byTitle.including(LISTING, listing, Listing::of),
                byAuthor.including(LISTING, listing, Listing::of),
                byName,
                byCustomer,
                store.collection("carts", Keys.longs(), Json.of(Cart.class)),
                List.of(bySubject, byTitle, byAuthor, byName, byCustomer, tables.customersByUserName()));
    }

    /** The part of an item that a list shows; entries of the items' indexes carry it. */
    public record Listing(String title, long authorId, long costCents, String thumbnail) {
        static Listing of(Item item) {
            return new Listing(item.title(), item.authorId(), item.costCents(), item.thumbnail());
        }
    }
}
