package io.penstock.bookstore;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * A visitor of the shop.
 *
 * @param id secret: the visitor's cookie
 * @param cartId null before the first book is in the cart
 * @param customerId null before signing in
 */
record Visitor(String id, @Nullable Long cartId, @Nullable Long customerId) {
    static Visitor unknown(String id) {
        return new Visitor(id, null, null);
    }

    Visitor withCart(@Nullable Long cart) {
        return new Visitor(id, cart, customerId);
    }

    Visitor signedIn(long customer, String newId) {
        return new Visitor(newId, cartId, customer);
    }

    /** The token that this visitor's forms carry. Other sites know neither it nor the cookie it is made from. */
    String formToken() {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(("form " + id).getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
