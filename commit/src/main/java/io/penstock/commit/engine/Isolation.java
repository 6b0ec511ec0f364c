package io.penstock.commit.engine;

import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.commit.protocol.WriteSet;
import io.penstock.commit.session.RecordReader;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.record.KeyRange;

/** What its level makes of a transaction: what it may use, how it reads, how it commits. For one thread. */
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

    /** Has the commit fail if something is written into a range from now on, whatever the level validates else. */
    void guard(TreeId tree, KeyRange range);

    /**
     * Makes sure that what was read was also true when this is called.
     *
     * @throws io.penstock.core.ConflictException when it was not
     */
    void confirm();

    /** Commits, as {@code Transaction.commit} says. */
    Stamp commit(WriteSet writes);

    /** Ends the transaction. Idempotent. */
    void close();
}
