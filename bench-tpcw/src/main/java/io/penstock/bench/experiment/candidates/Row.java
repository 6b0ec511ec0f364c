package io.penstock.bench.experiment.candidates;

import java.util.List;
import java.util.Locale;

/**
 * A row of the report.
 *
 * @param clients with {@code threads} threads each
 * @param keys how they are drawn
 * @param p50Millis from the begin of a transaction to its acknowledgement, runs again after conflicts included
 * @param conflictsPerCommit transactions that had to be run again
 * @param putsPerCommit conditional puts, also those that lost, and listings, which cost as much
 * @param dollarsPer1000 requests of log and queue, for 1,000 commits; pages are left out
 * @param slowestShare commits of the client with the fewest, over the mean
 */
record Row(
        String candidate,
        String setup,
        int clients,
        int threads,
        String keys,
        double commitsPerSecond,
        double p50Millis,
        double p99Millis,
        double conflictsPerCommit,
        double putsPerCommit,
        double dollarsPer1000,
        double slowestShare) {
    static String heading() {
        return """
                | keys | setup | clients | candidate | commits/s | p50, ms | p99, ms | conflicts per commit \
                | puts per commit | $ per 1,000 | slowest |
                |---|---|---|---|---|---|---|---|---|---|---|
                """;
    }

    /** Markdown, as the documents use. */
    String line() {
        return String.format(
                Locale.ROOT,
                "| %s | %s | %d | %s | %.1f | %.0f | %.0f | %.2f | %.3f | %.5f | %.2f |%n",
                keys,
                setup,
                clients,
                candidate,
                commitsPerSecond,
                p50Millis,
                p99Millis,
                conflictsPerCommit,
                putsPerCommit,
                dollarsPer1000,
                slowestShare);
    }

    static String table(List<Row> rows) {
        StringBuilder text = new StringBuilder(heading());
        rows.forEach(row -> text.append(row.line()));
        return text.toString();
    }
}
