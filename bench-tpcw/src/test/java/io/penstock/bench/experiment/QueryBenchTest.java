package io.penstock.bench.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

class QueryBenchTest {
    private static List<JsonNode> run() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8);
        // So small that some limits do not hold.
        var unused = new QueryBench()
                .run(
                        print,
                        new PrintStream(OutputStream.nullOutputStream()),
                        "--browsers",
                        "1",
                        "--items",
                        "100",
                        "--json",
                        "-");
        JsonNode rows = new ObjectMapper().readTree(out.toString(StandardCharsets.UTF_8));
        assertThat(rows.isArray()).as("%s", out).isTrue();
        return StreamSupport.stream(rows.spliterator(), false).toList();
    }

    @Test
    void everyOperatorIsMeasuredTheSameEachTime() throws IOException {
        List<JsonNode> rows = run();
        assertThat(rows.stream().map(row -> row.get("operator").asText()).distinct())
                .containsExactly("filter", "projection", "count, min, max", "group-by", "top-K", "join");
        assertThat(rows.stream().map(row -> row.get("way").asText())).contains("KEYS", "SUMMARIES", "COVERING", "SQL");
        assertThat(rows)
                .allSatisfy(row -> assertThat(row.get("requests").asLong()).isPositive());
        assertThat(run()).isEqualTo(rows);
    }
}
