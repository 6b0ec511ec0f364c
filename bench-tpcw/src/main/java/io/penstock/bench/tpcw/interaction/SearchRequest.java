package io.penstock.bench.tpcw.interaction;

import io.penstock.bench.tpcw.bookstore.Item;
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
    public InteractionKind kind() {
        return InteractionKind.SEARCH_REQUEST;
    }

    @Override
    public Shown run(Visit visit) {
        return new Shown(visit.promotions(itemId));
    }
}
