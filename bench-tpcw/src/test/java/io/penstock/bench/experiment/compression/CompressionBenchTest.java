package io.penstock.bench.experiment.compression;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.penstock.cli.program.Shell;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CompressionBenchTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... arguments) {
        return new CompressionBench(
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8))
                .run(arguments);
    }

    @Test
    void aSmallRunTellsOfEachKind() throws IOException {
        assertThat(run("--mib", "1", "--page-kib", "16", "--json", "-")).isEqualTo(Shell.DONE);
        JsonNode rows = JsonMapper.builder().build().readTree(out.toByteArray());
        assertThat(rows.findValuesAsText("payloads")).containsExactly("orders", "items", "random");
        for (JsonNode row : rows) {
            boolean random = row.get("payloads").asText().equals("random");
            assertThat(row.get("storedPercent").asDouble()).isBetween(random ? 99.0 : 5.0, random ? 100.0 : 90.0);
            assertThat(row.get("decompressMicros").asDouble()).isPositive();
            assertThat(row.get("scanMillis").get(1).asDouble()).isPositive();
        }
    }

    @Test
    void theTableIsMarkdown() {
        assertThat(run("--mib", "1", "--page-kib", "64")).isEqualTo(Shell.DONE);
        assertThat(out.toString(StandardCharsets.UTF_8).lines())
                .hasSize(5)
                .allMatch(line -> line.startsWith("|") && line.endsWith("|"));
    }

    @ParameterizedTest
    @CsvSource({
        "--mib 0,--mib is out of range; give 1 to 512",
        "--page-kib 0,--page-kib is out of range; give 1 to 16384",
        "--profiles x,no such profile"
    })
    void badOptionsAreOneLine(String arguments, String told) {
        assertThat(run(arguments.split(" "))).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains(told).hasLineCount(1);
    }
}
