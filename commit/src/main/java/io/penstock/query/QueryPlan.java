package io.penstock.query;

/**
 * The way in which a query is answered, with its cost. Immutable.
 *
 * @param access the way
 * @param by the name of the index; empty without one
 * @param leaves the leaves that are read, of the collection or the index
 * @param skipped the leaves that need not be read, since their summaries say so
 * @param requests the requests to the object store: estimated as if nothing was in memory
 * @param lists those of the requests that list pages, which servers charge like puts; the others get pages
 * @param bytes the bytes of pages that these requests fetch
 */
public record QueryPlan(Access access, String by, long leaves, long skipped, long requests, long lists, long bytes) {
    /** The ways to the records of a query. */
    public enum Access {
        /** The condition holds for no record. */
        NOTHING,
        /** Ranges of keys, which may be all. */
        KEYS,
        /** Ranges of keys, without the leaves that summaries leave out. */
        SUMMARIES,
        /** Ranges of an index, and the records that they lead to. */
        INDEX,
        /** Ranges of an index whose entries have all that is asked for. */
        COVERING
    }
}
