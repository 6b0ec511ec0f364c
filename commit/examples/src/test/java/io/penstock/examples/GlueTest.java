package io.penstock.examples;

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
 * property of the store, each line that declares or names its parts, and all that turns its failures into answers.
 * Uses of the collections are the application. Imports, comments and lines of brackets alone count nowhere.
 */
class GlueTest {
    private static final int GLUE_MAX = 20;

    private static final Pattern OF_THE_STORE =
            Pattern.compile("\\b(Penstock\\w*|Records|RecordCollection|Index|Json|Keys|Session|Settings)\\b");

    private static final Pattern NOTHING = Pattern.compile("[\\s{}();]*|\\s*(import|package|//|/?\\*).*");

    private static List<String> lines(Path file) throws IOException {
        return Files.readAllLines(file).stream()
                .filter(line -> !NOTHING.matcher(line).matches())
                .toList();
    }

    private static boolean isGlue(String file, String line) {
        return file.equals("Errors.java")
                || line.startsWith("penstock.")
                || OF_THE_STORE.matcher(line).find();
    }

    @Test
    void theShopHasLittleOfIt() throws IOException {
        Path module = Folder.root().resolve("commit/examples/src/main");
        List<String> glue = new ArrayList<>();
        int all = 0;
        try (Stream<Path> found = Files.walk(module)) {
            for (Path file : found.filter(Files::isRegularFile).sorted().toList()) {
                String name = file.getFileName().toString();
                List<String> lines = lines(file);
                all += lines.size();
                lines.stream().filter(line -> isGlue(name, line)).forEach(glue::add);
            }
        }
        assertThat(all).isGreaterThan(100);
        assertThat(glue).hasSizeLessThanOrEqualTo(GLUE_MAX);
        assertThat(Files.readString(Folder.root().resolve("docs/findings/web.md")))
                .contains(glue.size() + " lines of glue of " + all);
    }
}
