/**
 * The front door of a store.
 *
 * <p>{@link io.penstock.Penstock#open} gives a handle (a <em>client</em>); {@link io.penstock.Penstock#collection}
 * names a set of records; {@link io.penstock.Penstock#transact} reads and changes them and commits at the {@link
 * io.penstock.ConsistencyLevel} of the store or the transaction.
 */
package io.penstock;
