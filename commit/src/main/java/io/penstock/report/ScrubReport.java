package io.penstock.report;

/**
 * The outcome of a scrub of an index.
 *
 * @param indexed pending records whose entries were written
 * @param removed left-over entries that were removed
 * @param left pending records and entries that may belong to changes under way: for another scrub; those of records
 *     that cannot be read here; and pending records whose entries are too long for the index's pages
 */
public record ScrubReport(long indexed, long removed, long left) {}
