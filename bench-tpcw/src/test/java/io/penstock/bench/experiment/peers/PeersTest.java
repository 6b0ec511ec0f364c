package io.penstock.bench.experiment.peers;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.penstock.bench.experiment.peers.PeerBenchmark.Subject;
import io.penstock.bench.program.JsonTarget;
import io.penstock.cli.program.Shell;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
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

    private static final PeersBench SCORES = new PeersBench();

    static {
        for (Subject subject : Subject.values()) {
            for (String method : List.of("read", "scan", "apply")) {
                double score = subject.ordinal() + 1;
                for (double factor : new double[] {100, 300, 200}) {
                    SCORES.add(
                            new PeersBench.Measured(method, subject, false),
                            new PeersBench.Iteration(score * factor, 48 + factor / 1e4));
                }
            }
        }
        SCORES.add(new PeersBench.Measured("apply", Subject.PENSTOCK_DECODE, true), new PeersBench.Iteration(700, 1));
    }

    @Test
    void aRowHasTheRatioToTheFastestPeer() throws IOException {
        JsonNode json = JsonMapper.builder().build().readTree(JsonTarget.text(SCORES.report()));
        assertThat(json.size()).isEqualTo(8);
        assertThat(json.get(0)).hasToString("""
                {"operation":"pointRead","unit":"reads/s","penstock":200.0,"h2mvstore":1400.0,\
                "mapdb":1600.0,"ratioToBest":0.12,"allocatedBytes":48.0,"before":0.0}""");
        assertThat(SCORES.report().toString())
                .contains("operation")
                .contains("1,600")
                .contains("0.12");
    }

    @Test
    void anOperationOfItsOwnIsComparedWithAnEarlierPenstock() throws IOException {
        JsonNode json = JsonMapper.builder().build().readTree(JsonTarget.text(SCORES.report()));
        assertThat(json.get(6)).hasToString("""
                {"operation":"decode1000","unit":"records/s","penstock":1000.0,"h2mvstore":0.0,\
                "mapdb":0.0,"ratioToBest":0.0,"allocatedBytes":48.0,"before":700.0}""");
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
        int code = new PeersBench()
                .run(
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8),
                        line.split(" "));
        assertThat(code).isEqualTo(Shell.USAGE);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .startsWith("bench peers: ")
                .contains(message)
                .hasLineCount(1);
        assertThat(out.toString(StandardCharsets.UTF_8)).isEmpty();
    }
}
