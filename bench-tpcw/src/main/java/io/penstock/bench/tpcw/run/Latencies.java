package io.penstock.bench.tpcw.run;

import java.util.List;

/** Durations of transactions, in seconds; all zero if there were none. Percentiles by nearest rank. */
public record Latencies(double average, double max, double p50, double p90, double p99) {
    private static final double NANOS_PER_SECOND = 1e9;

    public static Latencies of(List<Long> nanos) {
        if (nanos.isEmpty()) {
            return new Latencies(0, 0, 0, 0, 0);
        }
        List<Long> sorted = nanos.stream().sorted().toList();
        long sum = sorted.stream().mapToLong(Long::longValue).sum();
        return new Latencies(
                sum / NANOS_PER_SECOND / sorted.size(),
                sorted.getLast() / NANOS_PER_SECOND,
                rank(sorted, 50) / NANOS_PER_SECOND,
                rank(sorted, 90) / NANOS_PER_SECOND,
                rank(sorted, 99) / NANOS_PER_SECOND);
    }

    private static long rank(List<Long> sorted, int percent) {
        int rank = (sorted.size() * percent + 99) / 100;
        return sorted.get(rank - 1);
    }
}
