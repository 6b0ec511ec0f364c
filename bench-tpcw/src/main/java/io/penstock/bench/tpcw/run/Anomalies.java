package io.penstock.bench.tpcw.run;

/**
 * The counts of anomalies in a run.
 *
 * @param lostStockUpdates acknowledged changes of stock that a later one did not build on
 * @param oversold items whose stock is not what the population, all sales and all restocking make it, or negative
 * @param ordersWithoutLinesNow times that a reader saw an order and not all of its lines
 * @param ordersWithoutLinesAfter acknowledged orders that are not there, or not with all lines, when nothing is pending
 * @param readsBack times that a session read an item older than it had read it before
 * @param ownWritesUnseen times that a session did not see what it had written itself
 * @param indexFaults index entries without their record, and records that an index should find and does not, when
 *     nothing is pending
 * @param staleness of the items that readers saw
 */
public record Anomalies(
        long lostStockUpdates,
        long oversold,
        long ordersWithoutLinesNow,
        long ordersWithoutLinesAfter,
        long readsBack,
        long ownWritesUnseen,
        long indexFaults,
        Staleness staleness) {
    /**
     * The staleness of the items that readers saw: the time since the first acknowledged change that an item did not
     * have.
     *
     * @param reads of items
     * @param stale reads that missed a change
     * @param p50Seconds half of all reads were not older than that
     * @param p99Seconds 99 of 100 reads were not older
     */
    public record Staleness(long reads, long stale, double p50Seconds, double p99Seconds) {}

    /** All of them together, as a first impression; staleness is none. */
    public long total() {
        return lostStockUpdates
                + oversold
                + ordersWithoutLinesNow
                + ordersWithoutLinesAfter
                + readsBack
                + ownWritesUnseen
                + indexFaults;
    }
}
