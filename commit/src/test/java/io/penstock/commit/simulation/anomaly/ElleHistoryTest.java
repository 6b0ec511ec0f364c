package io.penstock.commit.simulation.anomaly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.ConsistencyLevel;
import io.penstock.commit.simulation.History;
import io.penstock.core.InvalidRequestException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ElleHistoryTest {
    private static History.Transaction add(
            History history, String session, History.Outcome outcome, @Nullable String read, @Nullable String written) {
        int count = history.transactions().size();
        History.Transaction transaction = history.begin(session, ConsistencyLevel.ATOMIC, count * 10L);
        transaction.reads.add(new History.Read("records/a", read));
        transaction.writes.put("records/a", written);
        transaction.outcome = outcome;
        transaction.endNanos = count * 10L + 5;
        return transaction;
    }

    @Test
    void listsGrowByAppends() throws Exception {
        History history = new History();
        add(history, "s", History.Outcome.ACKNOWLEDGED, null, "1");
        add(history, "s", History.Outcome.ACKNOWLEDGED, "1", "1,2");
        JsonNode events = new ObjectMapper().readTree(ElleHistory.json(history, true));
        assertThat(events).hasSize(4);
        assertThat(events.get(2).toString())
                .isEqualTo("{\"index\":2,\"time\":10,\"process\":0,\"type\":\"invoke\",\"f\":\"txn\","
                        + "\"value\":[[\"r\",\"records/a\",null],[\"append\",\"records/a\",2]]}");
        assertThat(events.get(3).get("type").asText()).isEqualTo("ok");
        assertThat(events.get(3).get("value").toString())
                .isEqualTo("[[\"r\",\"records/a\",[1]],[\"append\",\"records/a\",2]]");
    }

    @Test
    void registersHaveUniqueNumbers() throws Exception {
        History history = new History();
        add(history, "s", History.Outcome.ACKNOWLEDGED, null, "t1");
        add(history, "t", History.Outcome.FAILED, "t1", "t2");
        JsonNode events = new ObjectMapper().readTree(ElleHistory.json(history, false));
        assertThat(events.get(1).get("value").toString())
                .isEqualTo("[[\"r\",\"records/a\",null],[\"w\",\"records/a\",1]]");
        assertThat(events.get(3).get("type").asText()).isEqualTo("fail");
        assertThat(events.get(3).get("process").asInt()).isEqualTo(1);
    }

    @Test
    void aProcessThatDoesNotKnowItsOutcomeNeverActsAgain() throws Exception {
        History history = new History();
        add(history, "s", History.Outcome.UNKNOWN, null, "t1");
        add(history, "s", History.Outcome.ACKNOWLEDGED, "t1", "t2");
        JsonNode events = new ObjectMapper().readTree(ElleHistory.json(history, false));
        assertThat(events.get(1).get("type").asText()).isEqualTo("info");
        assertThat(events.get(2).get("process").asInt()).isEqualTo(1);
    }

    @Test
    void deletesAreRefused() {
        History history = new History();
        add(history, "s", History.Outcome.ACKNOWLEDGED, null, null);
        assertThatThrownBy(() -> ElleHistory.json(history, false))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("Elle has no word");
    }
}
