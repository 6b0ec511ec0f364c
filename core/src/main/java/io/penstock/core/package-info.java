/**
 * The vocabulary of a store.
 *
 * <p>A <em>record</em> is a key and a payload, both {@link io.penstock.core.Bytes}. Records live on <em>pages</em>,
 * each one object of an object store, named by a {@link io.penstock.core.PageId} within a tree ({@link
 * io.penstock.core.TreeId}). A change of a record carries a {@link io.penstock.core.Stamp}, which orders all changes of
 * a store; the newest stamp wins. A <em>client</em> ({@link io.penstock.core.ClientId}) is one open store handle. Every
 * failure is a {@link io.penstock.core.StoreException}, one kind per thing the caller can do about it.
 */
package io.penstock.core;
