package io.penstock.spring;

import java.nio.file.Files;
import java.nio.file.Path;

/** The pages of the project. */
final class Pages {
    private Pages() {}

    /** The project's folder: the first upwards that has the pages, since tests run in the module or at the top. */
    static Path root() {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            if (Files.exists(at.resolve("docs/SPRING.md"))) {
                return at;
            }
        }
        throw new IllegalStateException("the pages are not above the working directory");
    }
}
