package io.penstock.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.Json;
import io.penstock.Keys;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Settings;
import io.penstock.cli.PenstockCommand;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.hadoop.api.ReadSupport;
import org.apache.parquet.hadoop.example.GroupReadSupport;
import org.apache.parquet.io.LocalInputFile;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command's exports as Parquet, as Parquet's own reader sees them. */
class ParquetExportTest {
    private static final String FIELDS = "books(title string, price decimal, rare boolean, pages int, weight double,"
            + " printed date, sold instant, cover bytes)";

    private static final int SCALE = 18;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path directory;

    record Book(
            String title,
            BigDecimal price,
            @Nullable Boolean rare,
            int pages,
            double weight,
            String printed,
            String sold,
            String cover) {
        static Book of(String title, String price, @Nullable Boolean rare) {
            return new Book(
                    title,
                    new BigDecimal(price),
                    rare,
                    12,
                    -0.5,
                    "1969-12-31",
                    "2026-11-26T10:00:00.123456789Z",
                    "AQI=");
        }
    }

    private int export(String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "export", "--dir", directory.resolve("store").toString(), "--format", "parquet", "--fields", FIELDS));
        arguments.addAll(List.of(more));
        return PenstockCommand.run(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                arguments.toArray(new String[0]));
    }

    private void put(String key, Book book) {
        try (Penstock store = Penstock.open(Settings.local(directory.resolve("store")))) {
            store.collection("books", Keys.string(), Json.of(Book.class)).put(key, book);
        }
    }

    private List<Group> rows(Path file) throws IOException {
        List<Group> rows = new ArrayList<>();
        try (ParquetReader<Group> reader =
                new ParquetReader.Builder<Group>(new LocalInputFile(file), new PlainParquetConfiguration()) {
                    @Override
                    protected ReadSupport<Group> getReadSupport() {
                        return new GroupReadSupport();
                    }
                }.withCodecFactory(new Zstandard()).build()) {
            for (Group row = reader.read(); row != null; row = reader.read()) {
                rows.add(row);
            }
        }
        return rows;
    }

    @Test
    void everyTypeIsReadBack() throws IOException {
        put("1", Book.of("Dämme 🌊", "-10.50", true));
        put("2", Book.of("", "7", null));
        Path file = directory.resolve("books.parquet");
        assertThat(export("--collection", "books", file.toString()))
                .as(err.toString(StandardCharsets.UTF_8))
                .isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("exported records: 2");
        List<Group> rows = rows(file);
        assertThat(rows).hasSize(2);
        Group first = rows.getFirst();
        assertThat(first.getString("key", 0)).isEqualTo("1");
        assertThat(first.getString("title", 0)).isEqualTo("Dämme 🌊");
        assertThat(new BigDecimal(new BigInteger(first.getBinary("price", 0).getBytes()), SCALE))
                .isEqualByComparingTo("-10.50");
        assertThat(first.getBoolean("rare", 0)).isTrue();
        assertThat(first.getInteger("pages", 0)).isEqualTo(12);
        assertThat(first.getDouble("weight", 0)).isEqualTo(-0.5);
        assertThat(first.getInteger("printed", 0))
                .isEqualTo(Math.toIntExact(LocalDate.parse("1969-12-31").toEpochDay()));
        assertThat(first.getLong("sold", 0))
                .isEqualTo(Instant.parse("2026-11-26T10:00:00Z").getEpochSecond() * 1_000_000 + 123_456);
        assertThat(first.getBinary("cover", 0).getBytes()).containsExactly(1, 2);
        assertThat(rows.get(1).getFieldRepetitionCount("rare")).isZero();
    }

    @Test
    void manyRecordsAreAllThere() throws IOException {
        try (Penstock store = Penstock.open(Settings.local(directory.resolve("store")))) {
            RecordCollection<Long, String> numbers = store.collection("numbers", Keys.longs(), Json.of(String.class));
            store.transact(transaction -> {
                for (long i = 0; i < 5_000; i++) {
                    transaction.put(numbers, i, "n" + i);
                }
                return true;
            });
        }
        Path file = directory.resolve("numbers.parquet");
        assertThat(export("--collection", "numbers", file.toString())).isZero();
        List<Group> rows = rows(file);
        assertThat(rows).hasSize(5_000);
        for (int i = 0; i < rows.size(); i++) {
            assertThat(rows.get(i).getLong("key", 0)).isEqualTo(i);
        }
    }

    @Test
    void aValueThatHasNoPlaceIsOneLineAndLeavesNoFile() {
        put("1", Book.of("Dams", "0.0000000000000000001", null));
        Path file = directory.resolve("books.parquet");
        assertThat(export("--collection", "books", file.toString())).isNotZero();
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("a decimal has more digits");
        assertThat(Files.exists(file)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"+999999999-12-31, 2026-11-26T10:00:00Z", "1969-12-31, +999999999-12-31T10:00:00Z"})
    void aTimeThatIsTooFarAwayIsOneLine(String printed, String sold) {
        put("1", new Book("Dams", BigDecimal.ONE, null, 12, -0.5, printed, sold, "AQI="));
        assertThat(export(
                        "--collection",
                        "books",
                        directory.resolve("books.parquet").toString()))
                .isNotZero();
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("a date or time is too far away")
                .hasLineCount(1);
    }

    @Test
    void standardOutputIsRefused() {
        put("1", Book.of("Dams", "1", null));
        assertThat(export("--collection", "books", "-")).isNotZero();
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("name a file instead of -");
    }
}
