package io.penstock.bench.tpcw.bookstore;

import java.util.List;

/**
 * One interaction: a customer's request. Running it within a transaction gives the content of the page.
 *
 * @param <S> the content of its page
 */
public interface Interaction<S extends Interaction.Shown> {
    /** The content of a page. */
    interface Shown {
        /** The items that were read as whole records. */
        default List<Item> items() {
            return List.of();
        }
    }

    /**
     * Reads and writes. It may run again after a conflict.
     *
     * @throws io.penstock.bench.tpcw.bookstore.ShopException when the shop refuses it; nothing is written then
     */
    S run(Visit visit);
}
