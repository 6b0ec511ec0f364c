package io.penstock.feed;

import io.penstock.core.Stamp;
import java.util.List;

/**
 * A committed transaction. Immutable.
 *
 * @param position the place after the transaction, from which {@code Penstock.changes} goes on
 * @param stamp newer than that of every transaction before it
 * @param changes at least one, in the order of its writes; of each record one. Entries of indexes are left out
 */
public record Commit(String position, Stamp stamp, List<Change> changes) {
    public Commit {
        changes = List.copyOf(changes);
    }
}
