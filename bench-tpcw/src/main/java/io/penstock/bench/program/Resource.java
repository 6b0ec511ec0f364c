package io.penstock.bench.program;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** A file of the class path, as text. */
public final class Resource {
    private Resource() {}

    /** @param name as {@code of} finds it: beside it, or from the root with a slash */
    public static String text(Class<?> of, String name) {
        try (InputStream in = of.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is missing from the build; build bench-tpcw again");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
