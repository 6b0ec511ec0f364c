package io.penstock.commit.domain;

import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.TreeId;
import org.jspecify.annotations.Nullable;

/**
 * The reason why a transaction does not go together with one that was committed after its snapshot.
 *
 * @param tree that holds what was read and written since; of {@link Kind#TOO_OLD} any tree that was read
 * @param key of the tree that was written since; null of {@link Kind#EXPIRED} and {@link Kind#TOO_OLD}
 */
public record Conflict(TreeId tree, Kind kind, @Nullable Bytes key) {
    /** The kind of thing that was written after the snapshot. */
    public enum Kind {
        /** A key that was to be as it was. */
        KEY,

        /** A range that was to be as it was. */
        RANGE,

        /** A record or an index entry that has expired since it was read. */
        EXPIRED,

        /** The writes are unknown: the snapshot is older than what this client keeps of the log. */
        TOO_OLD
    }

    /** A conflict without details. */
    static Conflict tooOld(TreeId tree) {
        return new Conflict(tree, Kind.TOO_OLD, null);
    }

    /** A conflict with the end of a record of a tree. */
    static Conflict expired(TreeId tree) {
        return new Conflict(tree, Kind.EXPIRED, null);
    }

    /** Returns the failure of the transaction, where the catalog has no details. */
    public ConflictException exception(String collection) {
        return exception(collection, null, null);
    }

    /**
     * The failure of the transaction.
     *
     * @param collection that has the tree
     * @param index of the collection that has it
     * @param record the key of the record that was written
     */
    public ConflictException exception(String collection, @Nullable String index, @Nullable Bytes record) {
        return ConflictException.of(
                switch (kind) {
                    case KEY -> "another transaction has written a record since this one read it; run it again";
                    case RANGE -> "another transaction has written into a range since this one read it; run it again";
                    case EXPIRED -> "a record has expired since this transaction read it; run it again";
                    case TOO_OLD -> "the snapshot of a transaction is too old to be checked; run it again";
                },
                collection,
                index,
                record,
                "collection",
                collection,
                "conflict",
                kind);
    }
}
