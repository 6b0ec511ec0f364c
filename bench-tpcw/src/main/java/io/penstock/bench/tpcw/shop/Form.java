package io.penstock.bench.tpcw.shop;

import io.penstock.bench.tpcw.bookstore.ShopException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The fields of a request, from its query or its body. Whatever a browser sends is checked here. */
record Form(Map<String, String> fields) {
    private static final int FIELD_MAX = 500;

    static Form parse(@Nullable String encoded) {
        Map<String, String> fields = new LinkedHashMap<>();
        if (encoded != null && !encoded.isEmpty()) {
            for (String pair : encoded.split("&")) {
                int equals = pair.indexOf('=');
                String name = equals < 0 ? pair : pair.substring(0, equals);
                fields.put(decode(name), equals < 0 ? "" : decode(pair.substring(equals + 1)));
            }
        }
        return new Form(fields);
    }

    private static String decode(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new ShopException("The request cannot be read.");
        }
    }

    boolean has(String name) {
        return fields.containsKey(name);
    }

    String optional(String name) {
        return fields.getOrDefault(name, "").strip();
    }

    String text(String name) {
        String text = optional(name);
        if (text.isEmpty() || text.length() > FIELD_MAX) {
            throw new ShopException("Fill in " + name + ", with at most " + FIELD_MAX + " characters.");
        }
        return text;
    }

    long number(String name) {
        return number(name, optional(name));
    }

    static long number(String name, String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new ShopException("Give a number for " + name + ".");
        }
    }

    /** A number of copies; out of every range if it is no int. */
    static int quantity(String text) {
        return (int) Math.clamp(number("quantity", text), -1, Integer.MAX_VALUE);
    }
}
