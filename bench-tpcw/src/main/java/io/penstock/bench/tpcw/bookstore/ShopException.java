package io.penstock.bench.tpcw.bookstore;

/** A wish that the shop refuses, such as an item that it does not have. The message is for the customer. */
public final class ShopException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public ShopException(String message) {
        super(message);
    }
}
