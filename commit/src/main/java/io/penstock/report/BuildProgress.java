package io.penstock.report;

/**
 * The progress of a build of indexes.
 *
 * @param records that are indexed
 * @param estimate of all records there are, from the leaves seen so far; at the end, the number of those seen
 */
public record BuildProgress(long records, long estimate) {
    /** Returns the progress in percent, from 0 to 100. */
    public int percent() {
        return estimate == 0 ? 100 : (int) Math.min(100, records * 100 / estimate);
    }
}
