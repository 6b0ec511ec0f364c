package io.penstock.bench.tpcw.interaction;

import io.penstock.bench.tpcw.bookstore.Author;
import io.penstock.bench.tpcw.bookstore.Item;
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
    public InteractionKind kind() {
        return InteractionKind.PRODUCT_DETAIL;
    }

    @Override
    public Shown run(Visit visit) {
        Item item = visit.item(itemId);
        return new Shown(item, visit.require(visit.tables().authors(), item.authorId(), "author"));
    }
}
