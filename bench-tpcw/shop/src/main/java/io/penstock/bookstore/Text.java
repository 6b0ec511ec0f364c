package io.penstock.bookstore;

import io.penstock.bench.tpcw.bookstore.ShopException;
import org.jspecify.annotations.Nullable;

/** Checks of what visitors type into the fields of forms. */
final class Text {
    private static final int MAX = 100;

    private Text() {}

    /** The text of a field that must be filled in, without blanks around it. */
    static String of(String name, @Nullable String text) {
        return of(name, text, MAX);
    }

    static String of(String name, @Nullable String text, int max) {
        if (text == null || text.isBlank()) {
            throw new ShopException("Fill in the " + name + ".");
        }
        return optional(name, text, max);
    }

    static String optional(String name, String text) {
        return optional(name, text, MAX);
    }

    private static String optional(String name, String text, int max) {
        if (text.length() > max) {
            throw new ShopException("Give at most " + max + " characters for the " + name + ".");
        }
        return text.strip();
    }
}
