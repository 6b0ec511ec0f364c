package io.penstock.bench.tpcw.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.ConsistencyLevel;
import io.penstock.Layout;
import io.penstock.bench.program.Rows;
import io.penstock.bench.tpcw.bookstore.Scale;
import io.penstock.bench.tpcw.run.Usage.Count;
import io.penstock.testkit.Profile;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReportTest {
    private static LevelResult result(Profile profile, List<String> violations) {
        return result(profile, ConsistencyLevel.ATOMIC, 0, 12, violations);
    }

    private static LevelResult result(
            Profile profile, ConsistencyLevel level, long lost, long lostStock, List<String> violations) {
        RunPlan plan = new RunPlan(
                profile.name(),
                profile.prices(),
                Layout.perLeaf(),
                level,
                new RunPlan.Buying(new Scale(1, 1_000), 100, 2, Duration.ZERO),
                new Tuning(100_000, 5_000_000, Duration.ofSeconds(100), Duration.ofMillis(2_500)),
                7);
        return new LevelResult(
                plan,
                100,
                1,
                2,
                new Latencies(5.6, 9.2, 5.5, 8.8, 9.1),
                usage(1).plus(new Usage(
                        Map.of(Count.CONFLICTS, 5L, Count.RETRIES, 4L, Count.ABORTED, 3L, Count.LOG_PUTS, 2L))),
                usage(10),
                lost,
                lostStock,
                0,
                violations,
                List.of("close: took too long"));
    }

    private static Usage usage(long times) {
        Map<Count, Long> counts = new EnumMap<>(Map.of(
                Count.S3_IN,
                100 * times,
                Count.S3_OUT,
                200 * times,
                Count.SQS_IN,
                300 * times,
                Count.SQS_OUT,
                400 * times));
        long calls = 0;
        for (Count call : Usage.CALLS) {
            counts.put(call, ++calls * times);
        }
        return new Usage(counts);
    }

    @Test
    void jsonHasTheFieldsThatOthersReadAndNoMore() throws IOException {
        JsonNode report = new ObjectMapper()
                .readTree(CompareReport.json(List.of(List.of(result(Profile.AWS_2026, List.of("a", "b"))))))
                .get(0);
        assertThat(names(report)).containsExactly("profile", "seed", "layout", "rows");
        JsonNode row = report.get("rows").get(0);
        assertThat(names(row))
                .containsExactly(
                        "level",
                        "transactions",
                        "secondsAvg",
                        "secondsMax",
                        "secondsP50",
                        "secondsP99",
                        "costPer1000",
                        "requests",
                        "s3PutLog",
                        "bytesIn",
                        "bytesOut",
                        "lostUpdates",
                        "lostStockUpdates",
                        "conflicts",
                        "retries",
                        "aborted",
                        "pendingAtEnd",
                        "treeViolations");
        assertThat(names(row.get("costPer1000"))).containsExactly("total", "transaction", "checkpointAndAtomic");
        assertThat(row.get("requests"))
                .hasToString("{\"s3Get\":11,\"s3Put\":22,\"s3Delete\":33,\"s3List\":44,"
                        + "\"sqsSend\":55,\"sqsReceive\":66,\"sqsDelete\":77,\"sqsOther\":88}");
        assertThat(report.get("profile").textValue()).isEqualTo("aws-2026");
        assertThat(report.get("layout").textValue()).isEqualTo("per-leaf");
        assertThat(row.get("level").textValue()).isEqualTo("ATOMIC");
        assertThat(row.get("s3PutLog").longValue()).isEqualTo(2);
        assertThat(row.get("conflicts").longValue()).isEqualTo(5);
        assertThat(row.get("retries").longValue()).isEqualTo(4);
        assertThat(row.get("aborted").longValue()).isEqualTo(3);
        assertThat(row.get("bytesIn").longValue()).isEqualTo(4_400);
        assertThat(row.get("treeViolations").longValue()).isEqualTo(2);
    }

    private static List<String> names(JsonNode node) {
        List<String> names = new ArrayList<>();
        node.fieldNames().forEachRemaining(names::add);
        return names;
    }

    @Test
    void tablesShowThePapersFiguresBesideOurs() {
        String text = CompareReport.text(List.of(result(Profile.PAPER_2008, List.of())));
        assertThat(text).contains("== paper-2008, per-leaf ==").contains("checkpoint interval=2.5 s");
        assertThat(text.lines().map(line -> line.strip().replaceAll(" +", " ")))
                .contains("ATOMIC 5.600 9.200 5.500 9.100 2.800 4.600 2.00 2.00")
                .contains("ATOMIC: close: took too long");
    }

    @Test
    void tablesOfOtherProfilesHaveNoPaperAndShowViolations() {
        String text = CompareReport.text(List.of(result(Profile.AWS_2026, List.of("leaf 7: keys out of order"))));
        assertThat(text).doesNotContain("paper").contains("ATOMIC: leaf 7: keys out of order");
    }

    @Test
    void aResultIsCleanWhenNothingIsPendingOrViolated() {
        assertThat(result(Profile.AWS_2026, List.of()).clean()).isTrue();
        assertThat(result(Profile.AWS_2026, List.of("bad")).clean()).isFalse();
    }

    @Test
    void aResultIsCleanWhenItsLevelKeptItsPromises() {
        for (ConsistencyLevel level : ConsistencyLevel.values()) {
            assertThat(result(Profile.AWS_2026, level, 1, 0, List.of()).clean())
                    .isEqualTo(level == ConsistencyLevel.NAIVE);
            assertThat(result(Profile.AWS_2026, level, 0, 1, List.of()).clean()).isEqualTo(!level.isolates());
        }
    }

    @Test
    void columnsAreAligned() {
        Rows table = Rows.of("level", "avg", "max");
        table.add("NAIVE", "11.300", "2");
        table.add("MONOTONIC", "4.0", "12");
        assertThat(table).hasToString("  level         avg  max\n  NAIVE      11.300    2\n  MONOTONIC     4.0   12\n");
    }
}
