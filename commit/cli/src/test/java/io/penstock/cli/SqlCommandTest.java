package io.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.penstock.Json;
import io.penstock.Keys;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Settings;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries of a store on disk, whose programs are not there. */
class SqlCommandTest {
    private static final String FIELDS = "books(title string, price decimal, rare boolean)";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path directory;

    record Book(String title, BigDecimal price, @Nullable Boolean rare) {}

    record Place(String shop, long shelf) {}

    @BeforeEach
    void fill() {
        try (Penstock store = Penstock.open(Settings.local(directory))) {
            RecordCollection<String, Book> books = store.collection("books", Keys.string(), Json.of(Book.class));
            books.put("1", new Book("Dams", new BigDecimal("10.50"), true));
            books.put("2", new Book("Weirs, \"new\"", new BigDecimal("7"), null));
            store.collection("places", Keys.of(Place.class), Json.of(Integer.class))
                    .put(new Place("north", 4), 12);
        }
    }

    private int run(String... arguments) {
        out.reset();
        err.reset();
        return PenstockCommand.run(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                arguments);
    }

    private String sql(String... arguments) {
        String[] all = new String[arguments.length + 5];
        all[0] = "sql";
        all[1] = "--dir";
        all[2] = directory.toString();
        all[3] = "--fields";
        all[4] = FIELDS;
        System.arraycopy(arguments, 0, all, 5, arguments.length);
        int code = run(all);
        return code == 0 ? out.toString(StandardCharsets.UTF_8) : code + " " + err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void columnsOfOneNameAreRefusedWhereTheLastWouldStand() {
        String both = "select a.key, b.key from books a join books b on a.key < b.key";
        assertThat(sql("--json", both)).startsWith("2 ").contains("two columns have one name");
        assertThat(sql("--csv", both)).isEqualToNormalizingNewlines("key,key\n1,2\n");
    }

    @Test
    void printsATable() {
        assertThat(sql("select key, title, price * 2 as twice, rare from books order by key"))
                .isEqualToNormalizingNewlines("key  title         twice  rare\n"
                        + "1    Dams          21     true\n"
                        + "2    Weirs, \"new\"  14     null\n"
                        + "2 rows\n");
        assertThat(sql("select key1, key2, payload from places"))
                .isEqualToNormalizingNewlines("key1   key2  payload\nnorth  4     12\n1 row\n");
    }

    @Test
    void printsForPrograms() {
        assertThat(sql("--json", "select key, price, rare from books where key = '2'"))
                .isEqualToNormalizingNewlines("{\"key\":\"2\",\"price\":7,\"rare\":null}\n");
        assertThat(sql("--csv", "select key, title, rare from books"))
                .isEqualToNormalizingNewlines("key,title,rare\n1,Dams,true\n2,\"Weirs, \"\"new\"\"\",\n");
        assertThat(sql("--csv", "select json_value(payload, '$.title') as t from books where key = '1'"))
                .isEqualToNormalizingNewlines("t\nDams\n");
    }

    /** A time that the clocks of the machine's zone skip is printed as it is. */
    @Tag("slow")
    @ParameterizedTest
    @ValueSource(strings = {"--json", "--csv"})
    void printsTimesAsTheyAre(String format) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Duser.timezone=Europe/Berlin",
                        "-cp",
                        System.getProperty("java.class.path"),
                        PenstockCommand.class.getName(),
                        "sql",
                        "--dir",
                        directory.toString(),
                        "--fields",
                        FIELDS,
                        format,
                        "select timestamp '2026-03-29 02:30:00' as t from books where key = '1'")
                .redirectErrorStream(true)
                .start();
        try (BufferedReader said = process.inputReader()) {
            assertThat(said.lines().filter(line -> line.contains("2026")))
                    .singleElement(STRING)
                    .contains("2026-03-29 02:30:00");
        }
        assertThat(process.waitFor()).isZero();
    }

    @Test
    void asksKeysByTheirRanges() {
        assertThat(sql("explain plan for select title from books where key = '2'"))
                .contains("filters=[[=($0, _UTF-8'2')]]", "requests=");
    }

    @Test
    void tellsWhatIsWrong() {
        assertThat(sql("select titel from books")).startsWith("2 penstock: column 'titel' not found");
        assertThat(sql("select * from cooks")).startsWith("2 penstock: object 'cooks' not found");
        assertThat(sql("delete from books")).contains("SQL only reads here", "[READ_ONLY]");
        assertThat(sql("--json", "--csv", "select 1")).startsWith("2 penstock: give one of");
        assertThat(sql("--fields", "books", "select 1")).startsWith("2 penstock: a table is declared like");
        assertThat(sql("--fields", "places(n money)", "select 1")).startsWith("2 penstock: there is no such type");
        assertThat(sql("--fields", "places(shelf long)", "select shelf from places"))
                .isEqualToNormalizingNewlines("shelf\nnull\n1 row\n");
    }
}
