package io.penstock.bench.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.bench.program.Figure;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class StrictBenchTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8);

    @Test
    void everyRowIsMeasured() {
        // Too short for the limits to hold.
        var unused = new StrictBench()
                .run(
                        print,
                        print,
                        "--seconds",
                        "2",
                        "--buyers",
                        "2",
                        "--items",
                        "100",
                        "--transactions",
                        "8",
                        "--json",
                        "-");
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("commit without rivals, p50, express-2026", "16 clients x 4 threads, p99 over a put")
                .contains("read of a key in the tail", "TPC-W at SERIALIZABLE");
    }

    @Test
    void limitsAreOfTheRatio() {
        assertThat(Figure.atMost(1.1, "a", 11, "ms").over(10).isMet()).isTrue();
        assertThat(Figure.atMost(1.1, "a", 12, "ms").over(10).isMet()).isFalse();
        assertThat(Figure.atLeast(0.7, "a", 6, "commits/s").over(10).isMet()).isFalse();
        assertThat(Figure.of("a", 1, "ms").isMet()).isTrue();
    }
}
