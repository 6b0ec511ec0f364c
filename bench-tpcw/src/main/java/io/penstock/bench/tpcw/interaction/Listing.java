package io.penstock.bench.tpcw.interaction;

import io.penstock.bench.tpcw.bookstore.Item;

/** The part of an item that a list shows; entries of the items' indexes carry it. */
public record Listing(String title, long authorId, long costCents, String thumbnail) {
    static Listing of(Item item) {
        return new Listing(item.title(), item.authorId(), item.costCents(), item.thumbnail());
    }
}
