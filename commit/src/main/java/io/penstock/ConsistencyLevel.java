package io.penstock;

import io.penstock.commit.engine.Isolation;
import io.penstock.commit.engine.ReadOptions;
import io.penstock.commit.engine.SessionParts;
import io.penstock.commit.session.SessionState;

/**
 * The promise of a commit. Each level keeps the promises of those before it, except NAIVE, which makes none. The names
 * and the protocols of the first four follow sections 4 and 5 of Brantner et al., "Building a Database on S3" (SIGMOD
 * 2008); those of the others follow Adya, Liskov and O'Neil, "Generalized Isolation Level Definitions" (ICDE 2000).
 * {@code docs/CONSISTENCY.md} has the promises in full.
 */
public enum ConsistencyLevel {
    /** Writes the changed pages at once. Concurrent changes of records on one page are lost: the baseline. */
    NAIVE,

    /** Every acknowledged log record is applied in the end, and all clients come to see the same. */
    BASIC,

    /**
     * Adds to {@link #BASIC}: a session reads its own writes, never reads backwards, and its writes are applied in its
     * order.
     */
    MONOTONIC,

    /**
     * Adds to {@link #MONOTONIC}: a transaction is applied whole or not at all in the end, whichever client crashes.
     */
    ATOMIC,

    /**
     * Adds to {@link #ATOMIC}: all reads of a transaction are of one state, which has everything that was acknowledged
     * before. Of two that write one record and have not seen each other, the later one fails. For collections of a
     * {@linkplain RecordCollection#inDomain domain}.
     */
    SNAPSHOT,

    /**
     * Adds to {@link #SNAPSHOT}: the transactions of a domain are as if they ran one after the other, in an order that
     * agrees with real time.
     */
    SERIALIZABLE;

    /** Whether it isolates transactions from each other, by the commit log of a domain. */
    public boolean isolates() {
        return switch (this) {
            case NAIVE, BASIC, MONOTONIC, ATOMIC -> false;
            case SNAPSHOT, SERIALIZABLE -> true;
        };
    }

    /** Returns the part of a transaction that depends on its level. */
    Isolation isolation(SessionParts parts, SessionState session, ReadOptions reading) {
        return switch (this) {
            case NAIVE -> parts.shared(name(), parts.protocols().naive(), session);
            case BASIC -> parts.shared(name(), parts.protocols().basic(), session);
            case MONOTONIC -> parts.shared(name(), parts.protocols().monotonic(), session);
            case ATOMIC -> parts.shared(name(), parts.protocols().atomic(), session);
            case SNAPSHOT -> parts.isolated(name(), reading.validated(false), session);
            case SERIALIZABLE -> parts.isolated(name(), reading, session);
        };
    }
}
