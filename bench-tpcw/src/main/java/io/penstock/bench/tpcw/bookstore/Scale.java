package io.penstock.bench.tpcw.bookstore;

import io.penstock.core.InvalidRequestException;

/**
 * The number of rows of each table, by clause 4.3: customers, addresses and orders grow with the emulated browsers,
 * authors with the items.
 *
 * @param browsers emulated browsers that the store is scaled for; 1 or more
 * @param items rows in ITEM; the standard allows 1,000 times a power of ten, tests take fewer
 */
public record Scale(int browsers, int items) {
    public static final int CUSTOMERS_PER_BROWSER = 2_880;
    public static final int COUNTRIES = 92;

    /** An item names five others, and the paper's transaction searches six. */
    public static final int ITEMS_MIN = 20;

    public static final int ITEMS_MAX = 10_000_000;
    public static final int BROWSERS_MAX = 1_000;

    public Scale {
        require("browsers", browsers, 1, BROWSERS_MAX);
        require("items", items, ITEMS_MIN, ITEMS_MAX);
    }

    public long customers() {
        return (long) CUSTOMERS_PER_BROWSER * browsers;
    }

    public long addresses() {
        return 2 * customers();
    }

    public long authors() {
        return items / 4;
    }

    /** Returns the number of orders, which is that of the rows of CC_XACTS too. */
    public long orders() {
        return customers() * 9 / 10;
    }

    private static void require(String name, int value, int min, int max) {
        if (value < min || value > max) {
            throw new InvalidRequestException(
                    "the scale is out of its range; choose another number", name, value, "min", min, "max", max);
        }
    }
}
