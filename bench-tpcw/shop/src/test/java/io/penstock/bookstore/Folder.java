package io.penstock.bookstore;

import java.nio.file.Files;
import java.nio.file.Path;

/** The project's folder. */
final class Folder {
    private Folder() {}

    /** The first upwards that has the pages: tests run in the module or at the top. */
    static Path root() {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            if (Files.exists(at.resolve("docs/WEB.md"))) {
                return at;
            }
        }
        throw new IllegalStateException("the pages are not above the working directory");
    }
}
