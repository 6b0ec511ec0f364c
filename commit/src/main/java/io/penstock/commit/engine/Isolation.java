package io.penstock.commit.engine;

import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.commit.protocol.WriteSet;
import io.penstock.commit.session.RecordReader;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.record.KeyRange;

/**
 * The part of a transaction that depends on its level: which collections it may use, how it reads, how it commits. For
 * one thread.
 */
public interface Isolation {
    /**
     * Takes note of a collection that the transaction is about to use.
     *
     * @param writes whether it is about to write to it
     * @throws io.penstock.core.InvalidRequestException when a transaction of this level may not do that
     */
    void enter(CollectionDefinition collection, boolean writes);

    /** The reader of the collections that were entered. */
    RecordReader reader();

    /**
     * Guards a range: the commit fails if something is written into it from now on, whatever else the level validates.
     */
    void guard(TreeId tree, KeyRange range);

    /**
     * Makes sure that all that was read is still true when this is called.
     *
     * @throws io.penstock.core.ConflictException when it was not
     */
    void confirm();

    /** Commits, as {@code Transaction.commit} says. */
    Stamp commit(WriteSet writes);

    /** Ends the transaction. Idempotent. */
    void close();
}
