/**
 * The front door of a store.
 *
 * <p>{@link io.penstock.commit.Penstock#open} gives a handle (a <em>client</em>); {@link
 * io.penstock.commit.Penstock#collection} names a set of records; {@link io.penstock.commit.Penstock#transact} reads
 * and changes them and commits at the {@link io.penstock.commit.ConsistencyLevel} that the store or the transaction has
 * chosen.
 */
package io.penstock.commit;
