package io.penstock.bench.tpcw.figures;

/**
 * The cost of clients that meet at the same records, at levels that isolate.
 *
 * @param conflicts commits that were refused, retried or not
 * @param retries transactions that were run again
 * @param aborted transactions that were given up
 * @param logPuts puts of segments of the commit log, which are among all puts
 */
public record Contention(long conflicts, long retries, long aborted, long logPuts) {
    /** The contention of levels that do not isolate. */
    public static final Contention NONE = new Contention(0, 0, 0, 0);

    Contention plus(Contention other) {
        return new Contention(
                conflicts + other.conflicts, retries + other.retries, aborted + other.aborted, logPuts + other.logPuts);
    }

    Contention minus(Contention other) {
        return new Contention(
                conflicts - other.conflicts, retries - other.retries, aborted - other.aborted, logPuts - other.logPuts);
    }
}
