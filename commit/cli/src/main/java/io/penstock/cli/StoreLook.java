package io.penstock.cli;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.penstock.Penstock;
import io.penstock.report.Backlog;
import io.penstock.report.LogStats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The state of a store at one look, for a live view. What other clients ask of the servers, and what that costs, is in
 * their meters alone.
 *
 * @param nanos of the monotonic clock
 * @param clients the number of those in each state
 * @param requests of this process, since it began
 * @param dollars that they cost at list prices
 */
record StoreLook(
        long nanos,
        Backlog backlog,
        List<LogStats> logs,
        Map<String, Long> clients,
        int quarantined,
        double requests,
        double dollars) {
    private static final double HOUR_SECONDS = 3600;
    private static final String ROW = "%-32s %12s %12s %10s %14s %9s";

    static StoreLook at(Penstock store, MeterRegistry meters) {
        Map<String, Long> clients = store.admin().inspect().clients().stream()
                .map(line -> line.split(" ")[1])
                .collect(Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()));
        return new StoreLook(
                store.tasks().nanoTime(),
                store.admin().backlog(),
                store.admin().inspect().outline().logs(),
                clients,
                store.admin().quarantine().list().size(),
                meters.find("penstock.requests").counters().stream()
                        .mapToDouble(Counter::count)
                        .sum(),
                meters.find("penstock.cost").functionCounters().stream()
                        .mapToDouble(FunctionCounter::count)
                        .sum());
    }

    /** Returns this look with the rates since an earlier one. */
    Rates since(StoreLook earlier) {
        double seconds = (nanos - earlier.nanos) / 1e9;
        Map<String, LogStats> before =
                earlier.logs.stream().collect(Collectors.toMap(LogStats::domain, Function.identity()));
        List<DomainRate> domains = logs.stream()
                .map(log -> {
                    LogStats old = before.getOrDefault(log.domain(), log);
                    return new DomainRate(
                            log.domain(),
                            (log.last() - old.last()) / seconds,
                            (log.horizon() - old.horizon()) / seconds,
                            log.tail(),
                            log.tailBytes(),
                            log.tailAge().orElse(Duration.ZERO));
                })
                .toList();
        double messages = (backlog.pendingMessages() - earlier.backlog.pendingMessages()) / seconds;
        return new Rates(
                backlog,
                messages,
                clients,
                quarantined,
                domains,
                (requests - earlier.requests) / seconds,
                (dollars - earlier.dollars) / seconds * HOUR_SECONDS);
    }

    /**
     * One domain.
     *
     * @param committed segments each second; one has the commits that came together
     * @param applied segments each second
     * @param tail segments that are not on pages yet
     */
    record DomainRate(String domain, double committed, double applied, long tail, long tailBytes, Duration tailAge) {}

    /**
     * A screen.
     *
     * @param messages the growth of the queues, each second
     * @param requests of this process, each second
     * @param dollars of this process, each hour
     */
    record Rates(
            Backlog backlog,
            double messages,
            Map<String, Long> clients,
            int quarantined,
            List<DomainRate> domains,
            double requests,
            double dollars) {
        List<String> lines() {
            List<String> lines = new ArrayList<>();
            lines.add(String.format(
                    Locale.ROOT,
                    "backlog     messages %d (%+.1f/s)  atomic %d  segments %d  oldest %s  quarantine %d",
                    backlog.pendingMessages(),
                    messages,
                    backlog.atomicMessages(),
                    backlog.logSegments(),
                    backlog.oldest().map(age -> age.toSeconds() + " s").orElse("-"),
                    quarantined));
            String states = clients.entrySet().stream()
                    .map(state -> state.getKey() + " " + state.getValue())
                    .collect(Collectors.joining("  "));
            lines.add("clients     " + (states.isEmpty() ? "none" : states));
            lines.add(String.format(Locale.ROOT, "this view   requests %.1f/s  $%.6f/h", requests, dollars));
            lines.add(
                    String.format(Locale.ROOT, ROW, "domain", "segments/s", "applied/s", "tail", "tail bytes", "age"));
            for (DomainRate each : domains) {
                lines.add(String.format(
                        Locale.ROOT,
                        ROW,
                        each.domain,
                        String.format(Locale.ROOT, "%.1f", each.committed),
                        String.format(Locale.ROOT, "%.1f", each.applied),
                        each.tail,
                        each.tailBytes,
                        each.tailAge.toSeconds() + " s"));
            }
            return lines;
        }
    }
}
