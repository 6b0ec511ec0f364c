package io.penstock.bench.tpcw.bookstore;

import java.util.List;

/** The form by which an administrator changes an item. Reads the item and its author. */
public record AdminRequest(long itemId) implements Interaction<AdminRequest.Shown> {
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
