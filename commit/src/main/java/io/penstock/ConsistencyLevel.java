package io.penstock;

import io.penstock.commit.engine.Protocols;
import io.penstock.commit.protocol.CommitProtocol;

/**
 * The promise of a commit. Each level keeps the promises of those before it, except NAIVE, which makes none. The names
 * and the protocols follow sections 4 and 5 of Brantner et al., "Building a Database on S3" (SIGMOD 2008); {@code
 * docs/CONSISTENCY.md} has the promises in full.
 */
public enum ConsistencyLevel {
    /** Writes the changed pages at once. Concurrent changes of records on one page are lost: the baseline. */
    NAIVE,

    /** Every acknowledged log record is applied in the end, and all clients come to see the same. */
    BASIC,

    /** In addition, a session reads its own writes, never reads backwards, and its writes are applied in its order. */
    MONOTONIC,

    /** In addition, a transaction is applied whole or not at all in the end, whichever client crashes. */
    ATOMIC;

    /** The protocol that keeps the promises of this level. */
    CommitProtocol protocol(Protocols protocols) {
        return switch (this) {
            case NAIVE -> protocols.naive();
            case BASIC -> protocols.basic();
            case MONOTONIC -> protocols.monotonic();
            case ATOMIC -> protocols.atomic();
        };
    }
}
