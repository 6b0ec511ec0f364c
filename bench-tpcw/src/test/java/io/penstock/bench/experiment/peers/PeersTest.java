package io.penstock.bench.experiment.peers;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.penstock.bench.program.Json;
import io.penstock.cli.program.Shell;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class PeersTest {
    private static final Records RECORDS = new Records(3000);

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"PENSTOCK_PAGE", "PENSTOCK_DECODE", "PENSTOCK_WRITE"})
    void everyStoreReadsTheSame(Subject subject) {
        try (PeerStore store = subject.fill(RECORDS)) {
            for (int draw = 0; draw < RECORDS.count(); draw++) {
                assertThat(store.read(draw)).isEqualTo(RECORDS.drawnDigest(draw));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"PENSTOCK_PAGE", "PENSTOCK_DECODE", "PENSTOCK_WRITE"})
    void everyStoreScansTheSame(Subject subject) {
        try (PeerStore store = subject.fill(RECORDS)) {
            for (int draw = 0; draw < 20; draw++) {
                assertThat(store.scan(draw)).isEqualTo(RECORDS.drawnScanDigest(draw));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"PENSTOCK", "PENSTOCK_BY_NEXT", "PENSTOCK_TREE"})
    void everyStoreTakesBatches(Subject subject) {
        try (PeerStore store = subject.fill(RECORDS)) {
            for (int batch = 0; batch < Records.BATCHES; batch++) {
                assertThat(store.apply(batch)).isNotNull();
            }
        }
    }

    @Test
    void aRowHasTheRatioToTheFastestPeer() throws IOException {
        PeerRow row = PeerRow.of(
                Operation.POINT_READ,
                (method, subject) -> {
                    Measurement measurement = new Measurement();
                    double score = Stream.of(Subject.values()).toList().indexOf(subject) + 1;
                    measurement.add(score * 100, 48.06);
                    measurement.add(score * 300, 48.08);
                    measurement.add(score * 200, 48.07);
                    return measurement;
                },
                new Measurement());
        assertThat(row).isEqualTo(new PeerRow("pointRead", "reads/s", 200, 1400, 1600, 1800, 0.11, 48.1, 0));
        assertThat(PeerRow.table(List.of(row)))
                .contains("operation")
                .contains("1,800")
                .contains("0.11");
        JsonNode json = JsonMapper.builder().build().readTree(Json.of(List.of(row)));
        assertThat(json.size()).isEqualTo(1);
        assertThat(json.get(0).fieldNames())
                .toIterable()
                .containsExactly(
                        "operation",
                        "unit",
                        "penstock",
                        "h2mvstore",
                        "xodus",
                        "mapdb",
                        "ratioToBest",
                        "allocatedBytes",
                        "before");
    }

    @Test
    void anOperationOfItsOwnIsComparedWithAnEarlierPenstock() {
        Measurement own = new Measurement();
        own.add(300, 1);
        Measurement earlier = new Measurement();
        earlier.add(100, 1);
        assertThat(PeerRow.of(Operation.DECODE, (method, subject) -> own, earlier))
                .isEqualTo(new PeerRow("decode1000", "records/s", 300, 0, 0, 0, 0, 1, 100));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --bogus                             | unknown option
            --records 5                         | --records is out of range; give 2000 or more
            --json /no/such/directory/x.json    | its directory is missing
            """)
    void aWrongCommandLineIsToldInOneLine(String line, String message) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = new PeersBench(
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8))
                .run(line.split(" "));
        assertThat(code).isEqualTo(Shell.USAGE);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .startsWith("bench peers: ")
                .contains(message)
                .hasLineCount(1);
        assertThat(out.toString(StandardCharsets.UTF_8)).isEmpty();
    }
}
