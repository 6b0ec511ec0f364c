package io.penstock.bench.tpcw.shop;

import io.penstock.Session;
import org.jspecify.annotations.Nullable;

/**
 * What the server remembers of a visitor: a session of the store, so that visitors see what they wrote themselves, and
 * who they are. The visitor's browser knows only the cookie. Safe for use by many threads.
 */
final class WebSession {
    private final Session store;
    private final String formToken;
    private volatile @Nullable Long cartId;
    private volatile @Nullable Long customerId;
    private volatile long usedNanos;

    /** @param formToken what each form of this visitor carries: other sites do not know it */
    WebSession(Session store, String formToken) {
        this.store = store;
        this.formToken = formToken;
    }

    Session store() {
        return store;
    }

    String formToken() {
        return formToken;
    }

    @Nullable
    Long cartId() {
        return cartId;
    }

    void cart(@Nullable Long id) {
        cartId = id;
    }

    @Nullable
    Long customerId() {
        return customerId;
    }

    void signedIn(long id) {
        customerId = id;
    }

    long usedNanos() {
        return usedNanos;
    }

    void used(long nanos) {
        usedNanos = nanos;
    }
}
