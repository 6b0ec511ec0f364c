package io.penstock.query;

import java.math.BigDecimal;
import java.math.MathContext;

/**
 * The way in which a query is answered, with its cost: as expected, or so far ({@code Rows.plan}). Immutable.
 *
 * @param access the way
 * @param by the name of the index; empty without one
 * @param leaves the leaves that are read, of the collection or the index
 * @param skipped the leaves that need not be read, since their summaries say so
 * @param requests the requests to the object store: estimated as if nothing was in memory
 * @param lists those of the requests that list pages, which servers charge like puts; the others get pages
 * @param bytes the bytes of pages that these requests fetch
 * @param seconds estimated at the medians of S3 in one region (profile {@code aws-2026}), 16 requests at a time; in the
 *     plan of rows, the time since the query began
 */
public record QueryPlan(
        Access access, String by, long leaves, long skipped, long requests, long lists, long bytes, double seconds) {
    /** The list prices of requests, in dollars: S3 Standard in us-east-1, without traffic. */
    private static final BigDecimal GET_DOLLARS = new BigDecimal("0.0000004");

    private static final BigDecimal LIST_DOLLARS = new BigDecimal("0.000005");
    private static final MathContext DIGITS = new MathContext(2);

    /** The price of the requests, in dollars (profile {@code aws-2026}: S3 in us-east-1). */
    public BigDecimal dollars() {
        return GET_DOLLARS
                .multiply(BigDecimal.valueOf(requests - lists))
                .add(LIST_DOLLARS.multiply(BigDecimal.valueOf(lists)))
                .stripTrailingZeros();
    }

    /** One line of words and figures. */
    @Override
    public String toString() {
        return access
                + (by.isEmpty() ? "" : " " + by)
                + " leaves=" + leaves
                + " skipped=" + skipped
                + " requests=" + requests
                + " bytes=" + bytes
                + " dollars=" + dollars().toPlainString()
                + " seconds=" + new BigDecimal(seconds).round(DIGITS).toPlainString();
    }

    /** The ways to the records of a query. */
    public enum Access {
        /** The condition holds for no record. */
        NOTHING,
        /** Ranges of keys, which may be all. */
        KEYS,
        /** Ranges of keys, without the leaves of which summaries tell all that is asked for. */
        SUMMARIES,
        /** Ranges of an index, and the records that they lead to. */
        INDEX,
        /** Ranges of an index whose entries have all that is asked for. */
        COVERING
    }
}
