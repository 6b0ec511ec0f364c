package io.penstock.bench.tpcw.run;

import io.penstock.bench.program.JsonTarget;
import io.penstock.bench.program.Rows;
import io.penstock.bench.tpcw.bookstore.InteractionKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The result of a run as text and as JSON. The names of the JSON's fields are an interface. */
public final class RunReport {
    record Page(
            String interaction,
            long count,
            double percent,
            double mixPercent,
            double averageSeconds,
            double p90Seconds,
            double p99Seconds,
            double maxSeconds,
            long limitSeconds) {}

    private RunReport() {}

    public static String json(RunResult result) {
        RunPlan plan = result.plan();
        RunPlan.Browsing load = plan.browsing();
        Answers.Tally answers = result.answers();
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("cloud", plan.cloud());
        json.put("mix", lower(load.mix()));
        json.put("level", lower(plan.level()));
        json.put("seed", plan.seed());
        json.put("browsers", load.browsers());
        json.put("servers", load.servers());
        json.put("items", load.scale().items());
        json.put("customers", load.scale().customers());
        json.put("zipf", load.zipf());
        json.put("rampUpSeconds", load.rampUp().toMillis() / 1e3);
        json.put("measuredSeconds", load.measured().toMillis() / 1e3);
        json.put("rateName", load.mix().rateName());
        json.put("rate", result.rate());
        json.put("valid", result.objections().isEmpty());
        json.put("objections", result.objections());
        json.put(
                "byCode",
                pages(result).stream()
                        .collect(Collectors.toMap(Page::interaction, page -> page, (a, b) -> a, LinkedHashMap::new)));
        json.put("retries", answers.retries());
        json.put("refused", answers.refused());
        json.put("failed", answers.failed());
        json.put("unknown", answers.unknown());
        json.put("costPer1000", result.costPer1000());
        json.put("requests", result.bill().all().requests());
        json.put("anomalies", result.anomalies());
        json.put("pendingAtEnd", result.pendingAtEnd());
        json.put("treeViolations", result.violations().size());
        return JsonTarget.text(json);
    }

    private static List<Page> pages(RunResult result) {
        List<Page> pages = new ArrayList<>();
        for (InteractionKind kind : InteractionKind.values()) {
            Answers.Answered answered = result.answers().pages().get(kind);
            if (answered != null) {
                pages.add(new Page(
                        kind.code(),
                        answered.count(),
                        100.0 * answered.count() / result.answers().interactions(),
                        result.plan().browsing().mix().percent(kind),
                        answered.seconds().average(),
                        answered.seconds().p90(),
                        answered.seconds().p99(),
                        answered.seconds().max(),
                        kind.limit().toSeconds()));
            }
        }
        return pages;
    }

    /** Ends with a line feed. */
    public static String text(RunResult result) {
        RunPlan.Browsing load = result.plan().browsing();
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "%s: %s mix, %s, %d browsers on %d servers, %d items, %d customers, %d s, seed %d%n%n",
                result.plan().cloud(),
                lower(load.mix()),
                result.plan().level(),
                load.browsers(),
                load.servers(),
                load.scale().items(),
                load.scale().customers(),
                load.measured().toSeconds(),
                result.plan().seed()));
        Rows table = Rows.of("interaction", "count", "%", "mix %", "avg s", "90 % s", "limit s", "max s");
        for (Page page : pages(result)) {
            table.add(
                    page.interaction,
                    page.count,
                    format("%.2f", page.percent),
                    format("%.2f", page.mixPercent),
                    format("%.3f", page.averageSeconds),
                    format("%.3f", page.p90Seconds),
                    page.limitSeconds,
                    format("%.3f", page.maxSeconds));
        }
        return text.append(table).append('\n').append(summary(result)).toString();
    }

    private static String summary(RunResult result) {
        RunPlan.Browsing load = result.plan().browsing();
        Answers.Tally answers = result.answers();
        Anomalies found = result.anomalies();
        Anomalies.Staleness stale = found.staleness();
        Rows table = Rows.of("", "");
        table.add(load.mix().rateName(), format("%.3f", result.rate()));
        table.add("$ / 1000 interactions", format("%.6f", result.costPer1000().total()));
        table.add("retries after conflicts", answers.retries());
        table.add("refused, failed, unknown", answers.refused() + ", " + answers.failed() + ", " + answers.unknown());
        table.add("lost stock updates", found.lostStockUpdates());
        table.add("items oversold", found.oversold());
        table.add("orders without their lines, seen", found.ordersWithoutLinesNow());
        table.add("orders without their lines, at the end", found.ordersWithoutLinesAfter());
        table.add("reads that went back", found.readsBack());
        table.add("own writes not seen", found.ownWritesUnseen());
        table.add("index faults at the end", found.indexFaults());
        table.add("reads of items, of them stale", stale.reads() + ", " + stale.stale());
        String ages = format("%.3f", stale.p50Seconds()) + ", " + format("%.3f", stale.p99Seconds());
        table.add("staleness p50, p99 s", ages);
        StringBuilder text = new StringBuilder(table.toString());
        List<String> objections = result.objections();
        text.append(objections.isEmpty() ? "  a valid run of TPC-W, but for the deviations in docs/TPCW.md\n" : "");
        objections.forEach(why -> text.append("  not valid: ").append(why).append('\n'));
        result.violations()
                .forEach(line -> text.append("  violation: ").append(line).append('\n'));
        return text.toString();
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private static String format(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
