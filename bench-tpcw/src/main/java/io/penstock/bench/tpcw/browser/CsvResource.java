package io.penstock.bench.tpcw.browser;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A table of this package's resources, separated by commas, without a heading. */
final class CsvResource {
    private CsvResource() {}

    static List<List<String>> rows(String name) {
        try (InputStream in = CsvResource.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is missing from the build; build bench-tpcw again");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(line -> List.of(line.split(",")))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
