package io.penstock.bench.tpcw.bookstore;

/**
 * A row of ORDER_LINE: OL_ID, OL_O_ID, OL_I_ID, OL_QTY, OL_DISCOUNT, OL_COMMENTS. Its key is (OL_O_ID, OL_ID), so that
 * the lines of an order lie side by side.
 *
 * @param id 1, 2, ... within its order
 */
public record OrderLine(long id, long orderId, long itemId, int quantity, int discountPercent, String comments) {}
