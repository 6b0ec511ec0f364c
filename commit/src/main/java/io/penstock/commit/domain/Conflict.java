package io.penstock.commit.domain;

import io.penstock.core.ConflictException;
import io.penstock.core.TreeId;

/**
 * The reason why a transaction does not go together with one that was committed after its snapshot.
 *
 * @param tree that holds what was read and written since; of {@link Kind#TOO_OLD} any tree that was read
 */
public record Conflict(TreeId tree, Kind kind) {
    /** What was written after the snapshot. */
    public enum Kind {
        /** A key that was to be as it was. */
        KEY,

        /** A range that was to be as it was. */
        RANGE,

        /** Nobody knows any more: the snapshot is older than what this client keeps of the log. */
        TOO_OLD
    }

    /** The failure of the transaction, by the name of the collection that has the tree. */
    public ConflictException exception(String collection) {
        return new ConflictException(
                switch (kind) {
                    case KEY -> "another transaction has written a record since this one read it; run it again";
                    case RANGE -> "another transaction has written into a range since this one read it; run it again";
                    case TOO_OLD -> "the snapshot of a transaction is too old to be checked; run it again";
                },
                "collection",
                collection,
                "conflict",
                kind);
    }
}
