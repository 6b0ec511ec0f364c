package io.penstock.bench.tpcw.bookstore;

import java.time.LocalDate;
import java.util.List;

/**
 * A row of ITEM, columns in the standard's order: I_ID, I_TITLE, I_A_ID, I_PUB_DATE, I_PUBLISHER, I_SUBJECT, I_DESC,
 * I_RELATED1 to I_RELATED5, I_THUMBNAIL, I_IMAGE, I_SRP, I_COST, I_AVAIL, I_STOCK, I_ISBN, I_PAGE, I_BACKING,
 * I_DIMENSIONS; then one of our own.
 *
 * @param related I_RELATED1 to I_RELATED5: five different items
 * @param retailCents I_SRP, the suggested retail price
 * @param stockOrder the order, or the change of an administrator, that last wrote this row, {@link #FROM_POPULATION} if
 *     none did: with what each of them saw here before, the changes of one item form chains, and lost ones can be
 *     counted exactly
 */
public record Item(
        long id,
        String title,
        long authorId,
        LocalDate published,
        String publisher,
        String subject,
        String description,
        List<Long> related,
        String thumbnail,
        String image,
        long retailCents,
        long costCents,
        LocalDate available,
        int stock,
        String isbn,
        int pages,
        String backing,
        String dimensions,
        long stockOrder) {
    /** The fields that an administrator may change. */
    public record Edit(long costCents, String image, String thumbnail, LocalDate published, List<Long> related) {}

    /** The value of {@code stockOrder} while no order has changed the stock. */
    public static final long FROM_POPULATION = 0;

    /** The stock below which an item is restocked (clause 2.7, Buy Confirm). */
    private static final int STOCK_MIN = 10;

    /** The number of copies that come in when the stock would fall below {@link #STOCK_MIN}. */
    private static final int RESTOCK = 21;

    /** Returns this item after {@code order} has taken {@code quantity} of it. */
    public Item sold(int quantity, long order) {
        int left = stock - quantity;
        Edit none = new Edit(costCents, image, thumbnail, published, related);
        return changed(none, left < STOCK_MIN ? left + RESTOCK : left, order);
    }

    /** Returns this item after {@code change} by an administrator. */
    public Item edited(Edit edit, long change) {
        return changed(edit, stock, change);
    }

    private Item changed(Edit edit, int newStock, long change) {
        return new Item(
                id,
                title,
                authorId,
                edit.published,
                publisher,
                subject,
                description,
                edit.related,
                edit.thumbnail,
                edit.image,
                retailCents,
                edit.costCents,
                available,
                newStock,
                isbn,
                pages,
                backing,
                dimensions,
                change);
    }
}
