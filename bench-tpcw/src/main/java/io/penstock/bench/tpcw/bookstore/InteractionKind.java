package io.penstock.bench.tpcw.bookstore;

import java.time.Duration;

/** One of the 14 interactions of TPC-W. */
public enum InteractionKind {
    HOME("HOME", "Home", 3),
    NEW_PRODUCTS("NEWP", "New Products", 5),
    BEST_SELLERS("BESS", "Best Sellers", 5),
    PRODUCT_DETAIL("PROD", "Product Detail", 3),
    SEARCH_REQUEST("SREQ", "Search Request", 3),
    SEARCH_RESULTS("SRES", "Search Results", 10),
    SHOPPING_CART("SHOP", "Shopping Cart", 3),
    CUSTOMER_REGISTRATION("CREG", "Customer Registration", 3),
    BUY_REQUEST("BUYR", "Buy Request", 3),
    BUY_CONFIRM("BUYC", "Buy Confirm", 5),
    ORDER_INQUIRY("ORDI", "Order Inquiry", 3),
    ORDER_DISPLAY("ORDD", "Order Display", 3),
    ADMIN_REQUEST("ADMR", "Admin Request", 3),
    ADMIN_CONFIRM("ADMC", "Admin Confirm", 20);

    private final String code;
    private final String title;
    private final Duration limit;

    InteractionKind(String code, String title, int limitSeconds) {
        this.code = code;
        this.title = title;
        this.limit = Duration.ofSeconds(limitSeconds);
    }

    /** The four letters that stand for it in the standard's tables. */
    public String code() {
        return code;
    }

    public String title() {
        return title;
    }

    /** The time within which 90 of 100 must be answered (clause 5.5.1). */
    public Duration limit() {
        return limit;
    }
}
