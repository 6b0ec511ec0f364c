package io.penstock.commit.simulation.anomaly;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.commit.simulation.History;
import io.penstock.commit.simulation.Scenario;
import io.penstock.commit.simulation.SimulatedRun;
import io.penstock.commit.simulation.Workload;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Whole histories of the simulation have the form that Elle's documentation and its command line ask for: operations
 * numbered in order, each process with one open at a time, none after an unknown end, the same micro-operations at the
 * beginning and the end, elements and numbers that are written once.
 */
class ElleFormTest {
    private static final int HISTORIES = 12;
    private static final Set<String> ENDS = Set.of("ok", "fail", "info");

    private final Map<Integer, JsonNode> open = new HashMap<>();
    private final Set<Integer> gone = new HashSet<>();
    private final Set<String> written = new HashSet<>();
    private final Set<String> ends = new HashSet<>();

    @Test
    void listsOfTheSimulation() throws IOException {
        check(Workload.APPEND, "append");
        assertThat(ends).as("kinds of ends that were seen").contains("ok", "info");
    }

    @Test
    void registersOfTheSimulation() throws IOException {
        check(Workload.REGISTER, "w");
    }

    private void check(Workload workload, String write) throws IOException {
        int checked = 0;
        for (long seed = 0; checked < HISTORIES; seed++) {
            Scenario scenario = Scenario.of(seed);
            if (scenario.workload() == workload) {
                History history = SimulatedRun.run(scenario).history();
                if (!history.transactions().isEmpty()) {
                    check(ElleHistory.json(history, workload == Workload.APPEND), write, "seed=" + seed);
                    checked++;
                }
            }
        }
    }

    private void check(String json, String write, String run) throws IOException {
        open.clear();
        gone.clear();
        written.clear();
        int index = 0;
        long time = Long.MIN_VALUE;
        for (JsonNode operation : new ObjectMapper().readTree(json)) {
            assertThat(List.copyOf(operation.properties()))
                    .as(run)
                    .extracting(Map.Entry::getKey)
                    .containsExactlyInAnyOrder("index", "time", "process", "type", "f", "value");
            assertThat(operation.get("index").asInt()).as(run).isEqualTo(index++);
            assertThat(operation.get("time").asLong()).as(run).isGreaterThanOrEqualTo(time);
            time = operation.get("time").asLong();
            assertThat(operation.get("f").asText()).as(run).isEqualTo("txn");
            check(operation, write, run);
        }
        assertThat(open).as("%s: operations without an end", run).isEmpty();
    }

    private void check(JsonNode operation, String write, String run) {
        int process = operation.get("process").asInt();
        String type = operation.get("type").asText();
        assertThat(gone).as("%s: processes that may not act again", run).doesNotContain(process);
        if (type.equals("invoke")) {
            assertThat(open.put(process, operation.get("value"))).as(run).isNull();
            operation.get("value").forEach(part -> checkBegun(part, write, run));
            return;
        }
        assertThat(type).as(run).isIn(ENDS);
        ends.add(type);
        JsonNode begun = open.remove(process);
        assertThat(begun).as("%s: ends what it has begun", run).isNotNull().hasSameSizeAs(operation.get("value"));
        for (int i = 0; i < begun.size(); i++) {
            checkEnd(begun.get(i), operation.get("value").get(i), type, write, run);
        }
        if (type.equals("info")) {
            gone.add(process);
        }
    }

    private void checkBegun(JsonNode part, String write, String run) {
        assertThat(part.size()).as(run).isEqualTo(3);
        if (part.get(0).asText().equals("r")) {
            assertThat(part.get(2).isNull())
                    .as("%s: reads begin without a value", run)
                    .isTrue();
        } else {
            assertThat(part.get(0).asText()).as(run).isEqualTo(write);
            assertThat(part.get(2).isIntegralNumber()).as(run).isTrue();
            assertThat(written.add(part.get(1) + "=" + part.get(2)))
                    .as("%s: written once: %s", run, part)
                    .isTrue();
        }
    }

    private static void checkEnd(JsonNode begun, JsonNode ended, String type, String write, String run) {
        assertThat(ended.get(0)).as(run).isEqualTo(begun.get(0));
        assertThat(ended.get(1)).as(run).isEqualTo(begun.get(1));
        JsonNode value = ended.get(2);
        if (!ended.get(0).asText().equals("r")) {
            assertThat(value).as(run).isEqualTo(begun.get(2));
        } else if (!type.equals("ok")) {
            assertThat(value.isNull()).as(run).isTrue();
        } else if (write.equals("append")) {
            assertThat(value.isNull() || value.isArray()).as(run).isTrue();
            value.forEach(
                    element -> assertThat(element.isIntegralNumber()).as(run).isTrue());
        } else {
            assertThat(value.isNull() || value.isIntegralNumber()).as(run).isTrue();
        }
    }
}
