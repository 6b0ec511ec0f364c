package io.penstock.commit.engine;

import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.commit.protocol.CommitProtocol;
import io.penstock.commit.protocol.WriteSet;
import io.penstock.commit.session.RecordReader;
import io.penstock.commit.session.SessionState;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.record.KeyRange;

/** A transaction without isolation, which sees what its session has committed as far as its level says. */
record SessionIsolation(String level, Committer committer, CommitProtocol protocol, SessionState session)
        implements Isolation {
    /** A write beside the commit log would be seen by no transaction that validates what it has read. */
    @Override
    public void enter(CollectionDefinition collection, boolean writes) {
        if (writes && collection.requireAtRest().domain() != null) {
            throw new InvalidRequestException(
                    ErrorCode.DOMAIN_MISMATCH,
                    "the collection belongs to a domain, whose changes all go through its commit log; write at SNAPSHOT"
                            + " or SERIALIZABLE",
                    "collection",
                    collection.name(),
                    "domain",
                    collection.domain(),
                    "level",
                    level);
        }
    }

    @Override
    public RecordReader reader() {
        return session.reader();
    }

    @Override
    public void guard(TreeId tree, KeyRange range) {
        throw new IllegalStateException("a level without isolation guards nothing");
    }

    @Override
    public void confirm() {
        // Nothing is promised of what was read.
    }

    @Override
    public Stamp commit(WriteSet writes) {
        return writes.isEmpty() ? Stamp.ZERO : committer.commit(level, protocol, session, writes);
    }

    @Override
    public void close() {
        // Its session goes on.
    }
}
