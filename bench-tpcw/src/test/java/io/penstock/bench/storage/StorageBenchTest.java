package io.penstock.bench.storage;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.bench.program.ChildJvm;
import io.penstock.cli.program.Shell;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import site.ycsb.Client;

class StorageBenchTest {
    private static List<JsonNode> run(String... arguments) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int code = new StorageBench()
                .run(
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(OutputStream.nullOutputStream()),
                        arguments);
        assertThat(code).as("%s", out).isEqualTo(Shell.DONE);
        JsonNode rows = new ObjectMapper().readTree(out.toString(StandardCharsets.UTF_8));
        return StreamSupport.stream(rows.spliterator(), false).toList();
    }

    @Test
    void noOperationFailsAndVirtualFiguresAreTheSameEachTime() throws IOException {
        String[] arguments = {"--suites", "YCSB,SLATEDB", "--records", "200", "--operations", "64", "--json", "-"};
        List<JsonNode> rows = run(arguments);
        assertThat(rows).hasSize(6 * 3 * 3 * 2 + 9 * 2 + 1);
        assertThat(rows.stream().filter(row -> row.get("failed").asInt() > 0)).isEmpty();
        assertThat(withoutCpu(run(arguments))).isEqualTo(withoutCpu(rows));
    }

    private static List<JsonNode> withoutCpu(List<JsonNode> rows) {
        return rows.stream()
                .<JsonNode>map(row -> ((ObjectNode) row.deepCopy()).without("cpuMicros"))
                .toList();
    }

    @Test
    void payloadsAreMeasuredBesideObjects() throws IOException {
        List<JsonNode> rows = run("--suites", "NANO", "--cloud", "LOCAL", "--operations", "64", "--json", "-");
        assertThat(rows.stream().map(row -> row.get("store").asText()).distinct())
                .containsExactly("payloads", "bare objects");
        assertThat(rows.stream().filter(row -> row.get("failed").asInt() > 0)).isEmpty();
    }

    @Test
    void ycsbsOwnClientRuns(@TempDir Path directory) throws Exception {
        assertThat(client("-load", directory)).contains("[INSERT], Return=OK, 100");
        assertThat(client("-t", directory)).contains("[READ], Return=OK").contains("[SCAN], Return=OK");
    }

    private static String client(String phase, Path directory) throws Exception {
        List<String> arguments = new ArrayList<>(
                List.of(phase, "-threads", "4", "-db", PenstockDb.class.getName(), "-p", "penstock.dir=" + directory));
        for (String property : List.of(
                "workload=site.ycsb.workloads.CoreWorkload",
                "recordcount=100",
                "operationcount=200",
                "readproportion=0.4",
                "updateproportion=0.2",
                "scanproportion=0.2",
                "insertproportion=0.2")) {
            arguments.addAll(List.of("-p", property));
        }
        Process process = new ChildJvm().start(Client.class, arguments, ProcessBuilder.Redirect.DISCARD);
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(out).isZero();
        assertThat(out).doesNotContain("ERROR", "FAILED");
        return out;
    }
}
