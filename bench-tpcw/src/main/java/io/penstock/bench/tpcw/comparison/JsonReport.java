package io.penstock.bench.tpcw.comparison;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.penstock.commit.ConsistencyLevel;
import java.util.List;

/** Outcomes as JSON: an array with one object for each scenario. The names of the fields are an interface. */
public final class JsonReport {
    private static final ObjectWriter WRITER = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build()
            .writer();

    record ProfileReport(String profile, long seed, String layout, List<Row> rows) {}

    record Row(
            ConsistencyLevel level,
            long transactions,
            double secondsAvg,
            double secondsMax,
            double secondsP50,
            double secondsP99,
            CostModel.Split costPer1000,
            Requests requests,
            long bytesIn,
            long bytesOut,
            long lostUpdates,
            long lostStockUpdates,
            long pendingAtEnd,
            long treeViolations) {}

    private JsonReport() {}

    /** Ends with a line feed. */
    public static String of(List<Comparison.Outcome> outcomes) {
        try {
            return WRITER.writeValueAsString(
                            outcomes.stream().map(JsonReport::report).toList()) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a report of plain records cannot be written", e);
        }
    }

    private static ProfileReport report(Comparison.Outcome outcome) {
        Scenario scenario = outcome.scenario();
        CostModel costs = new CostModel(scenario.prices());
        return new ProfileReport(
                scenario.profile(),
                scenario.seed(),
                scenario.layoutName(),
                outcome.results().stream().map(result -> row(result, costs)).toList());
    }

    private static Row row(LevelResult result, CostModel costs) {
        Usage usage = result.usage();
        return new Row(
                result.level(),
                result.transactions(),
                result.seconds().average(),
                result.seconds().max(),
                result.seconds().p50(),
                result.seconds().p99(),
                result.costPer1000(costs),
                usage.requests(),
                usage.bytesIn(),
                usage.bytesOut(),
                result.lostUpdates(),
                result.lostStockUpdates(),
                result.pendingAtEnd(),
                result.violations().size());
    }
}
