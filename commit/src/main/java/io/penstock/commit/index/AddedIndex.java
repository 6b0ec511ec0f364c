package io.penstock.commit.index;

import io.penstock.core.TreeId;

/**
 * An index that was added to a collection in use, as a reader must know it: entries of some records are missing, since
 * the writers of these records did not know the index. Immutable.
 *
 * @param collection the tree of the records
 * @param epoch of the first definition that has the index: log records of writers that know it have this one or more
 * @param pending the tree of the keys of such records, as far as checkpoints have applied them
 * @param since the time of the stamp in the log of the collection's domain from which on pages show the index; 0 if it
 *     has no domain
 */
public record AddedIndex(TreeId collection, long epoch, TreeId pending, long since) {}
