package io.penstock.report;

/**
 * The outcome of a compaction.
 *
 * @param purged traces of deletes that are gone
 * @param rewritten leaves that were written again for that
 * @param joined leaves whose records are in their left neighbours now
 * @param reformed leaves that were split because they were larger than the collection's pages are to be now, and pages
 *     that were stored with another compression
 * @param damaged trees that were not compacted, or only in part, because they have a damaged page
 */
public record CompactionReport(long purged, long rewritten, long joined, long reformed, long damaged) {
    public static final CompactionReport NONE = new CompactionReport(0, 0, 0, 0, 0);

    /** The sum of two reports. */
    public CompactionReport plus(CompactionReport other) {
        return new CompactionReport(
                purged + other.purged,
                rewritten + other.rewritten,
                joined + other.joined,
                reformed + other.reformed,
                damaged + other.damaged);
    }
}
