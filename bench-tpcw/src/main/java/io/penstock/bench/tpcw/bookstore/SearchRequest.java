package io.penstock.bench.tpcw.bookstore;

import java.util.List;

/**
 * The form of a search. Reads one item and the five related to it.
 *
 * @param itemId the item whose related items are promoted
 */
public record SearchRequest(long itemId) implements Interaction<SearchRequest.Shown> {
    /** The content of the page. */
    public record Shown(List<Item> items) implements Interaction.Shown {}

    @Override
    public Shown run(Visit visit) {
        return new Shown(visit.promotions(itemId));
    }
}
