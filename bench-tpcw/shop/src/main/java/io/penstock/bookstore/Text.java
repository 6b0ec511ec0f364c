package io.penstock.bookstore;

import io.penstock.bench.tpcw.bookstore.ShopException;
import org.jspecify.annotations.Nullable;

/** Checks of what visitors type into the fields of forms. */
final class Text {
    private static final int MAX = 100;

    private Text() {}

    /** The text of a field that must be filled in, without blanks around it. */
    static String of(String name, @Nullable String text) {
        if (text == null || text.isBlank()) {
            throw new ShopException("Fill in the " + name + ".");
        }
        return optional(name, text);
    }

    static String optional(String name, String text) {
        if (text.length() > MAX) {
            throw new ShopException("Give at most " + MAX + " characters for the " + name + ".");
        }
        return text.strip();
    }
}
