package io.penstock.bench.commits;

import io.penstock.bench.program.Quantiles;
import io.penstock.testing.LatencyProxy;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * What commits took and would cost.
 *
 * @param requests of S3 and SQS for one commit, with those of the background
 * @param dollarsPerMillion for a million commits
 */
record Commits(
        String profile,
        String program,
        int callers,
        double p50Millis,
        double p99Millis,
        double perSecond,
        double requests,
        double dollarsPerMillion) {
    static Commits of(
            String profile, String program, int callers, List<Double> millis, Duration length, LatencyProxy.Bill bill) {
        double count = Math.max(1, millis.size());
        return new Commits(
                profile,
                program,
                callers,
                Quantiles.at(millis, 0.5),
                Quantiles.at(millis, 0.99),
                millis.size() / (length.toMillis() / 1e3),
                bill.count() / count,
                bill.dollars() / count * 1e6);
    }

    /** Markdown, as the documents use. */
    static String table(List<Commits> all) {
        StringBuilder text = new StringBuilder("""
                | profile | commits by | callers | p50 ms | p99 ms | commits/s | requests each | $ a million |
                |---|---|---|---|---|---|---|---|
                """);
        for (Commits one : all) {
            text.append(String.format(
                    Locale.ROOT,
                    "| %s | %s | %d | %.1f | %.1f | %,.0f | %.2f | %.2f |%n",
                    one.profile,
                    one.program,
                    one.callers,
                    one.p50Millis,
                    one.p99Millis,
                    one.perSecond,
                    one.requests,
                    one.dollarsPerMillion));
        }
        return text.toString();
    }
}
