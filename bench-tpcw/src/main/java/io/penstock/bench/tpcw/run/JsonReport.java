package io.penstock.bench.tpcw.run;

import io.penstock.ConsistencyLevel;
import io.penstock.bench.program.JsonTarget;
import java.util.List;

/** Outcomes as JSON: an array with one object for each plan. The names of the fields are an interface. */
public final class JsonReport {
    record ProfileReport(String profile, long seed, String layout, List<Row> rows) {}

    record Row(
            ConsistencyLevel level,
            long transactions,
            double secondsAvg,
            double secondsMax,
            double secondsP50,
            double secondsP99,
            CostModel.Split costPer1000,
            Usage.Requests requests,
            long s3PutLog,
            long bytesIn,
            long bytesOut,
            long lostUpdates,
            long lostStockUpdates,
            long conflicts,
            long retries,
            long aborted,
            long pendingAtEnd,
            long treeViolations) {}

    private JsonReport() {}

    /** Ends with a line feed. */
    public static String of(List<List<LevelResult>> outcomes) {
        return JsonTarget.text(outcomes.stream().map(JsonReport::report).toList());
    }

    private static ProfileReport report(List<LevelResult> outcome) {
        RunPlan plan = outcome.getFirst().plan();
        CostModel costs = new CostModel(plan.prices());
        return new ProfileReport(
                plan.cloud(),
                plan.seed(),
                plan.layoutName(),
                outcome.stream().map(result -> row(result, costs)).toList());
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
                usage.logPuts(),
                usage.bytesIn(),
                usage.bytesOut(),
                result.lostUpdates(),
                result.lostStockUpdates(),
                usage.conflicts(),
                usage.retries(),
                usage.aborted(),
                result.pendingAtEnd(),
                result.violations().size());
    }
}
