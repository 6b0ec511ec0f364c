package io.penstock.bookstore;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * How much of the shop is glue: what an application writes for the store's sake, and not for its own. It is each
 * property of the store, each line that declares or names its parts, and each that names its failures. Uses of the
 * collections are the application; so are its options, its tables and its pages. Imports, comments and lines of
 * brackets alone count nowhere.
 */
class GlueTest {
    private static final int GLUE_MAX = 60;

    private static final Pattern OF_THE_STORE =
            Pattern.compile("\\b(Penstock\\w*|Records|RecordCollection|(Covering)?Index"
                    + "|Json|Keys|Session|Settings|DataAccessException|StoreException)\\b|^penstock\\.");

    private static final Pattern NOTHING = Pattern.compile("[\\s{}();]*|\\s*(import|package|//|/?\\*|#).*");

    /** The shop's own files, its options aside, and those that declare its collections and indexes. */
    private static List<Path> files() throws IOException {
        Path bench = Folder.root().resolve("bench-tpcw");
        List<Path> files = new ArrayList<>();
        try (Stream<Path> found = Files.walk(bench.resolve("shop/src/main"))) {
            found.filter(file -> file.toString().matches(".*\\.(java|properties)"))
                    .filter(file -> !file.endsWith("ServeCommand.java"))
                    .forEach(files::add);
        }
        Path tpcw = bench.resolve("src/main/java/io/penstock/bench/tpcw");
        files.add(tpcw.resolve("bookstore/Bookstore.java"));
        files.add(tpcw.resolve("bookstore/Storefront.java"));
        return files;
    }

    @Test
    void theShopHasLittleOfIt() throws IOException {
        List<String> glue = new ArrayList<>();
        int all = 0;
        for (Path file : files()) {
            List<String> lines = Files.readAllLines(file).stream()
                    .filter(line -> !NOTHING.matcher(line).matches())
                    .toList();
            all += lines.size();
            lines.stream().filter(line -> OF_THE_STORE.matcher(line).find()).forEach(glue::add);
        }
        assertThat(glue).as("%s of %s", glue.size(), all).hasSizeLessThanOrEqualTo(GLUE_MAX);
        assertThat(Files.readString(Folder.root().resolve("docs/findings/web.md")))
                .contains(glue.size() + " lines of glue of " + all);
    }
}
