package io.penstock.bench.tpcw;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.ConsistencyLevel;
import io.penstock.bench.program.Progress;
import io.penstock.cli.program.Shell;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The comparison from the command line to the report, small. */
class ComparisonTest {
    private static final String SMALL = "--transactions 30 --items 500 --seed 5";

    private static final String ABOVE_NAIVE = Arrays.stream(ConsistencyLevel.values())
            .filter(level -> level != ConsistencyLevel.NAIVE)
            .map(ConsistencyLevel::name)
            .collect(Collectors.joining(","));

    private static String json(String options) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        List<String> arguments = new ArrayList<>(List.of("compare", "--json", "-"));
        arguments.addAll(Arrays.asList(options.split(" ")));
        int exit = Tpcw.run(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                Progress.NONE,
                arguments.toArray(String[]::new));
        assertThat(exit).as("%s: %s", options, err).isEqualTo(Shell.DONE);
        return out.toString(StandardCharsets.UTF_8);
    }

    private static JsonNode rows(String options) throws IOException {
        return new ObjectMapper().readTree(json(options)).get(0).get("rows");
    }

    private static JsonNode row(JsonNode rows, String level) {
        for (JsonNode row : rows) {
            if (row.get("level").textValue().equals(level)) {
                return row;
            }
        }
        throw new AssertionError("no row of " + level);
    }

    private static void assertNothingLost(JsonNode row) {
        assertThat(row.get("lostUpdates").longValue()).as("%s", row).isZero();
        assertThat(row.get("pendingAtEnd").longValue()).as("%s", row).isZero();
        assertThat(row.get("treeViolations").longValue()).as("%s", row).isZero();
    }

    @Test
    void oneSeedGivesTheSameFiguresToTheLastDigit() {
        String options = "--profile aws-2026 --clients 3 " + SMALL;
        assertThat(json(options)).isEqualTo(json(options));
    }

    @Test
    @Tag("slow")
    void basicAndAboveLoseNothingThatWasAcknowledged() throws IOException {
        for (String profile : List.of("aws-2026", "express-2026", "instant")) {
            JsonNode rows = rows("--profile " + profile + " --clients 4 --levels " + ABOVE_NAIVE + " " + SMALL);
            assertThat(rows).hasSize(ABOVE_NAIVE.split(",").length);
            rows.forEach(row -> {
                assertThat(row.get("transactions").longValue()).isEqualTo(30);
                assertNothingLost(row);
            });
        }
    }

    @Test
    @Tag("slow")
    void perLeafQueuesLoseNothingEither() throws IOException {
        rows("--profile aws-2026 --layout per-leaf --clients 4 --levels " + ABOVE_NAIVE + " " + SMALL)
                .forEach(ComparisonTest::assertNothingLost);
    }

    @Test
    @Tag("slow")
    void naiveWithEightClientsLosesUpdates() throws IOException {
        JsonNode rows = rows("--profile aws-2026 --clients 8 --levels NAIVE --transactions 80 --items 500 --seed 5");
        assertThat(row(rows, "NAIVE").get("lostUpdates").longValue()).isPositive();
    }

    @Test
    @Tag("slow")
    void withThePapersQueuesTheLevelsRankAsInThePaper() throws IOException {
        JsonNode rows = rows("--profile paper-2008 --layout per-leaf --transactions 40 --items 5000 --seed 5");
        double naive = row(rows, "NAIVE").get("secondsAvg").doubleValue();
        double basic = row(rows, "BASIC").get("secondsAvg").doubleValue();
        double monotonic = row(rows, "MONOTONIC").get("secondsAvg").doubleValue();
        double atomic = row(rows, "ATOMIC").get("secondsAvg").doubleValue();
        assertThat(naive).isGreaterThan(1.5 * basic).isGreaterThan(1.5 * monotonic);
        assertThat(atomic).isLessThan(basic).isLessThan(monotonic);
    }

    @Test
    @Tag("slow")
    void localStoresWorkAndStayWhereTheyWereAskedFor(@TempDir Path directory) throws IOException {
        Path stores = directory.resolve("stores");
        rows("--cloud local --clients 2 --dir " + stores + " " + SMALL).forEach(row -> {
            if (!row.get("level").textValue().equals("NAIVE")) {
                assertNothingLost(row);
            }
        });
        try (Stream<Path> levels = Files.list(stores)) {
            assertThat(levels.map(level -> level.getFileName().toString()))
                    .containsExactlyInAnyOrder("naive", "basic", "monotonic", "atomic", "snapshot", "serializable");
        }
    }
}
