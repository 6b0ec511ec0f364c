package io.penstock.report;

import java.time.Duration;
import java.util.Optional;

/**
 * The statistics of a domain's commit log, from a listing of its objects.
 *
 * @param segments in the log, those that are on pages too
 * @param bytes of these
 * @param last the position of the last one; 0 when there is none
 * @param horizon the position up to which pages have the log
 * @param trimmed the position up to which segments are gone, or will be
 * @param tailBytes of the segments after the horizon
 * @param tailAge of the oldest of these, by the store's clock; empty when there is none
 */
public record LogStats(
        String domain,
        long segments,
        long bytes,
        long last,
        long horizon,
        long trimmed,
        long tailBytes,
        Optional<Duration> tailAge) {
    /** The segments after the horizon: the positions that pages lack. */
    public long tail() {
        return Math.max(0, last - horizon);
    }
}
