package io.penstock.bench.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.penstock.Keys;
import io.penstock.PayloadCodec;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Settings;
import io.penstock.bench.experiment.ScaleStore.ScaleRecords;
import io.penstock.bench.program.Benchmark;
import io.penstock.bench.program.Progress;
import io.penstock.cli.program.Shell;
import io.penstock.core.Bytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.ObjLongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScaleTest {
    @TempDir
    Path directory;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... arguments) {
        return new ScaleBench()
                .run(
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8),
                        arguments);
    }

    @Test
    void aSmallRunGoesThroughEveryStep() throws IOException {
        Path json = directory.resolve("scale.json");
        Path store = directory.resolve("store");
        int code = run(("--records 20000 --reads 500 --writes 1500 --pool-mib 1 --dir " + store + " --json " + json)
                .split(" "));
        assertThat(err.toString(StandardCharsets.UTF_8).lines().filter(line -> !line.contains("the heap may grow")))
                .isEmpty();
        assertThat(code).isEqualTo(Shell.DONE);
        JsonNode report = JsonMapper.builder().build().readTree(json.toFile());
        assertThat(report.fieldNames())
                .toIterable()
                .containsExactly("records", "heapMaxMib", "poolMib", "steps", "trees");
        assertThat(report.get("steps").findValuesAsText("step"))
                .containsExactly(
                        "load, unsorted",
                        "check",
                        "scan, compare",
                        "random reads",
                        "stats",
                        "commit updates",
                        "apply updates",
                        "read updates",
                        "commit inserts",
                        "apply inserts",
                        "fill deep queues",
                        "apply deep queues",
                        "build index, check it",
                        "verify",
                        "gc",
                        "compact",
                        "check again",
                        "scan, compare again");
        assertThat(report.get("steps").get(3).get("count").asInt()).isEqualTo(500);
        // The pool holds some twentieth of the leaves.
        assertThat(report.get("steps").get(3).get("gets").asInt()).isBetween(250, 501);
        assertThat(report.get("trees").findValuesAsText("tree"))
                .containsExactly("loaded", "inserted", "loaded, then updated");
        for (JsonNode tree : report.get("trees")) {
            assertThat(tree.get("overheadPercent").asDouble()).isBetween(0.0, 12.0);
        }
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("load, unsorted")
                .contains("overhead %");
        // It stays, and is no place for another run.
        assertThat(Files.isDirectory(store)).isTrue();
        assertThat(run("--records", "10", "--dir", store.toString())).isEqualTo(Shell.USAGE);
    }

    @Test
    void keysTellTheirNumbersAndAreInNoOrder() {
        int ascents = 0;
        for (long number = 0; number < 1_000; number++) {
            Bytes key = ScaleRecords.key(number);
            assertThat(key.length()).isEqualTo(ScaleRecords.KEY_BYTES);
            assertThat(ScaleRecords.number(key)).isEqualTo(number);
            ascents += key.compareTo(ScaleRecords.key(number + 1)) < 0 ? 1 : 0;
        }
        assertThat(ascents).isBetween(400, 600);
        byte[] damaged = ScaleRecords.key(7).toArray();
        damaged[3] ^= 1;
        assertThat(ScaleRecords.number(Bytes.wrap(damaged))).isEqualTo(-1);
        assertThat(ScaleRecords.number(Bytes.utf8("short"))).isEqualTo(-1);
    }

    @Test
    void payloadsDifferByNumberAndVersion() {
        assertThat(ScaleRecords.payload(1, 0).length()).isEqualTo(ScaleRecords.PAYLOAD_BYTES);
        assertThat(ScaleRecords.payload(1, 0)).isEqualTo(ScaleRecords.payload(1, 0));
        assertThat(ScaleRecords.payload(1, 0)).isNotEqualTo(ScaleRecords.payload(1, 1));
        assertThat(ScaleRecords.payload(1, 0)).isNotEqualTo(ScaleRecords.payload(2, 0));
    }

    /** Faults that a scan must report: a missing record, an extra one, one with a wrong payload. */
    @Test
    void wrongDataIsFound() {
        assertThat(scanOf(10, (collection, number) -> collection.put(number, 0)))
                .isEqualTo("10");
        assertThat(scanOf(11, (collection, number) -> collection.put(number, 0)))
                .contains("10 records of 11");
        assertThat(scanOf(9, (collection, number) -> collection.put(number, 0))).contains("never written");
        assertThat(scanOf(10, (collection, number) -> collection.put(number, number == 5 ? 1 : 0)))
                .contains("another's payload");
    }

    /** Takes a record for the store. */
    private record Filler(RecordCollection<Bytes, Bytes> collection) {
        void put(long number, int version) {
            collection.put(ScaleRecords.key(number), ScaleRecords.payload(number, version));
        }
    }

    /** The report of a scan that expects {@code records} records, on the ten that {@code fill} has written. */
    private String scanOf(long expected, ObjLongConsumer<Filler> fill) {
        Penstock store = Penstock.open(Settings.local(directory.resolve("wrong-" + expected + fill.hashCode())));
        try (ScaleStore scale = new ScaleStore(store, expected, Progress.NONE)) {
            Filler filler = new Filler(store.collection("loaded", Keys.bytes(), PayloadCodec.bytes()));
            for (long number = 0; number < 10; number++) {
                fill.accept(filler, number);
            }
            return String.valueOf(scale.scan());
        } catch (Benchmark.FailedException wrong) {
            return String.valueOf(wrong.getMessage());
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --bogus                             | unknown option
            --records 0                         | --records is out of range; give 1 to
            --writes 1000000                    | --writes is out of range; give 1 to
            --pool-mib 100000000                | --pool-mib is out of range
            --json /no/such/directory/x.json    | its directory is missing
            --dir /proc/none                    | cannot be made
            """)
    void aWrongCommandLineIsToldInOneLine(String line, String message) {
        assertThat(run(line.split(" "))).isEqualTo(Shell.USAGE);
        assertThat(err.toString(StandardCharsets.UTF_8).lines().filter(text -> !text.contains("the heap may grow")))
                .singleElement()
                .asString()
                .startsWith("bench scale: ")
                .contains(message);
        assertThat(out.toString(StandardCharsets.UTF_8)).isEmpty();
    }
}
