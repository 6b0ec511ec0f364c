package io.penstock.report;

/**
 * The outcome of a build of summaries. Immutable.
 *
 * @param leaves the leaves that have a summary now
 * @param read the leaves that were read for it, as they have changed since the last build
 * @param left the leaves without a summary: a record could not be read, or the function of a field threw
 */
public record SummaryReport(long leaves, long read, long left) {}
