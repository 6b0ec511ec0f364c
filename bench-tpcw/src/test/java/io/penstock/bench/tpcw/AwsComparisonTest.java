package io.penstock.bench.tpcw;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.bench.aws.AwsServers;
import io.penstock.bench.program.Progress;
import io.penstock.cli.program.Shell;
import io.penstock.core.task.ThreadTasks;
import io.penstock.testing.RealServers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The comparison and the browsers on LocalStack, by client processes. */
@Tag("servers")
class AwsComparisonTest {
    private static final String BUCKET = "penstock-tpcw";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... arguments) {
        return Tpcw.run(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                Progress.NONE,
                arguments);
    }

    private int compare(RealServers.Endpoint endpoint, String options) {
        String line = "compare --cloud aws --path-style --json - --bucket " + BUCKET + " --endpoint-s3 " + endpoint.s3()
                + " --endpoint-sqs " + endpoint.sqs() + " " + options;
        return run(line.split(" "));
    }

    @Test
    @Tag("slow")
    void fourProcessesLoseNothingThatWasAcknowledgedAndLeaveNothingBehind() throws IOException {
        RealServers.Endpoint endpoint = RealServers.localstack();
        assertThat(compare(endpoint, "--processes 4 --transactions 24 --items 100 --prefix four --seed 5"))
                .as(err.toString(StandardCharsets.UTF_8))
                .isEqualTo(Shell.DONE);
        JsonNode rows = new ObjectMapper()
                .readTree(out.toString(StandardCharsets.UTF_8))
                .get(0)
                .get("rows");
        assertThat(rows).hasSize(6);
        rows.forEach(row -> {
            assertThat(row.get("transactions").longValue()).as("%s", row).isEqualTo(24);
            assertThat(row.get("pendingAtEnd").longValue()).as("%s", row).isZero();
            assertThat(row.get("treeViolations").longValue()).as("%s", row).isZero();
            if (!row.get("level").textValue().equals("NAIVE")) {
                assertThat(row.get("lostUpdates").longValue()).as("%s", row).isZero();
            }
        });
        AwsServers servers = new AwsServers(endpoint.s3(), endpoint.sqs(), null, BUCKET, true);
        try (AwsServers.Connection connection = servers.connect(new ThreadTasks())) {
            assertThat(connection.objects().list("four-", "", 1).entries()).isEmpty();
            assertThat(connection.queues().list("four-")).isEmpty();
        }
    }

    @Test
    @Tag("slow")
    void browsersOfTwoProcessesOversellNothingAtSerializable() throws IOException {
        RealServers.Endpoint endpoint = RealServers.localstack();
        String line = "run --cloud aws --path-style --json - --bucket " + BUCKET + " --endpoint-s3 " + endpoint.s3()
                + " --endpoint-sqs " + endpoint.sqs() + " --processes 2 --servers 2 --browsers 8 --minutes 0.3"
                + " --ramp-up 1 --items 100 --scale 1 --mix ordering --level serializable --zipf 1 --prefix two";
        assertThat(run(line.split(" ")))
                .as(err.toString(StandardCharsets.UTF_8))
                .isEqualTo(Shell.DONE);
        JsonNode report = new ObjectMapper().readTree(out.toString(StandardCharsets.UTF_8));
        assertThat(report.get("rate").doubleValue()).isPositive();
        assertThat(report.at("/requests/s3Put").longValue()).isPositive();
        JsonNode anomalies = report.get("anomalies");
        for (String none :
                List.of("lostStockUpdates", "oversold", "ordersWithoutLinesNow", "ordersWithoutLinesAfter")) {
            assertThat(anomalies.get(none).longValue()).as(none).isZero();
        }
    }

    @Test
    void aServerThatIsNotThereIsToldInOneLineAndSoon() {
        String nobody = "http://127.0.0.1:1";
        int exit = run(("compare --cloud aws --bucket nobody --endpoint-s3 " + nobody + " --endpoint-sqs " + nobody)
                .split(" "));
        assertThat(exit).isEqualTo(Shell.FAILED);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .startsWith("tpcw: ")
                .contains("check endpoint and network")
                .doesNotContain("\tat ")
                .hasLineCount(1);
    }
}
