package io.penstock.bench.tpcw.bookstore;

import java.time.LocalDate;

/**
 * A row of ORDERS, columns in the standard's order: O_ID, O_C_ID, O_DATE, O_SUB_TOTAL, O_TAX, O_TOTAL, O_SHIP_TYPE,
 * O_SHIP_DATE, O_BILL_ADDR_ID, O_SHIP_ADDR_ID, O_STATUS.
 */
public record Order(
        long id,
        long customerId,
        LocalDate date,
        long subTotalCents,
        long taxCents,
        long totalCents,
        String shipType,
        LocalDate shipDate,
        long billAddressId,
        long shipAddressId,
        String status) {
    private static final long TAX_PER_TEN_THOUSAND = 825;
    private static final long SHIPPING_CENTS = 300;
    private static final long SHIPPING_CENTS_PER_LINE = 100;

    /** Returns O_TAX: 8.25 %, rounded half up. */
    static long taxCents(long subTotalCents) {
        return (subTotalCents * TAX_PER_TEN_THOUSAND + 5_000) / 10_000;
    }

    /** Returns O_TOTAL: with tax, and shipping of $3 and $1 for each line. */
    static long totalCents(long subTotalCents, int lines) {
        return subTotalCents + taxCents(subTotalCents) + SHIPPING_CENTS + SHIPPING_CENTS_PER_LINE * lines;
    }
}
