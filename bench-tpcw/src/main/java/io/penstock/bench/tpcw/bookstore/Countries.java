package io.penstock.bench.tpcw.bookstore;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The 92 countries of clause 4.7.1, from {@code countries.csv}: name, exchange rate, currency. */
final class Countries {
    static final List<Country> ALL = read();

    private Countries() {}

    private static List<Country> read() {
        List<Country> countries = new ArrayList<>(Scale.COUNTRIES);
        for (String line : text().lines().toList()) {
            String[] columns = line.split(",", 3);
            countries.add(new Country(countries.size() + 1, columns[0], columns[1], columns[2]));
        }
        return List.copyOf(countries);
    }

    private static String text() {
        try (InputStream in = Countries.class.getResourceAsStream("countries.csv")) {
            if (in == null) {
                throw new IllegalStateException("countries.csv is missing from the build; build bench-tpcw again");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
