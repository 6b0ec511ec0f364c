package io.penstock.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The README's example is the code below, between the two marks; and it runs. */
class ReadmeExampleTest {
    /** Stands in for the real one, so that the example's directory is a temporary one. */
    private static final class Path {
        static java.nio.file.Path of(String name) {
            return root.resolve(name);
        }
    }

    private static java.nio.file.Path root;

    @TempDir
    java.nio.file.Path directory;

    @BeforeEach
    void place() {
        root = directory;
    }

    @Test
    void theExampleRuns() {
        PrintStream out = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            example();
        } finally {
            System.setOut(out);
        }
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("Knuth", "stock=2")
                .hasLineCount(1);
    }

    private static void example() {
        // <readme>
        record Book(String isbn, String title, String author, int stock) {
            Book sold(int copies) {
                return new Book(isbn, title, author, stock - copies);
            }
        }
        try (Penstock store = Penstock.open(Settings.local(Path.of("shop")))) {
            Collection<String, Book> books = store.collection("books", Keys.string(), Json.of(Book.class));
            Index<String, String, Book> byAuthor = books.index("by-author", Keys.string(), Book::author);
            books.put("978-0", new Book("978-0", "The Art of Computer Programming", "Knuth", 3));
            store.transact(tx -> {
                Book book = tx.get(books, "978-0").orElseThrow();
                tx.put(books, book.isbn(), book.sold(1));
                return book;
            });
            try (Scan<Entry<String, Book>> found = byAuthor.scan("Knuth")) {
                found.forEachRemaining(System.out::println);
            }
        }
        // </readme>
    }

    @Test
    void theReadmeShowsThisExample() throws IOException {
        java.nio.file.Path readme = find("README.md");
        assumeTrue(Files.exists(readme), "there is no README.md yet");
        java.nio.file.Path source = find("commit/src/test/java/io/penstock/commit/ReadmeExampleTest.java");
        String shown = between(Files.readString(readme), "```java\n", "```");
        String run = between(Files.readString(source), "// <readme>\n", "// </readme>");
        assertThat(shown.replaceAll("\\s+", "")).isEqualTo(run.replaceAll("\\s+", ""));
        assertThat(shown.strip().lines().count()).as("lines of the example").isLessThanOrEqualTo(16);
    }

    /** Tests run in the module's folder or in the project's. */
    private static java.nio.file.Path find(String file) {
        java.nio.file.Path here = java.nio.file.Path.of("").toAbsolutePath();
        return Files.exists(here.resolve("scripts/test")) ? here.resolve(file) : here.resolveSibling(file);
    }

    private static String between(String text, String start, String end) {
        int from = text.indexOf(start);
        assertThat(from).as("where is %s", start.strip()).isNotNegative();
        int begin = from + start.length();
        return text.substring(begin, text.indexOf(end, begin));
    }
}
