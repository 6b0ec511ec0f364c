package io.penstock.bench.tpcw.bookstore;

import java.util.List;

/** An item with all that is known of it. Reads the item and its author. */
public record ProductDetail(long itemId) implements Interaction<ProductDetail.Shown> {
    /** The content of the page. */
    public record Shown(Item item, Author author) implements Interaction.Shown {
        @Override
        public List<Item> items() {
            return List.of(item);
        }
    }

    @Override
    public Shown run(Visit visit) {
        Item item = visit.item(itemId);
        return new Shown(item, visit.require(visit.tables().authors(), item.authorId(), "author"));
    }
}
