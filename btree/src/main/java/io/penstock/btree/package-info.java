/**
 * B-link trees on pages that are objects: reading ({@link io.penstock.btree.BLinkTree}), writing ({@link
 * io.penstock.btree.TreeWriter}) and checking ({@link io.penstock.btree.TreeCheck}).
 */
package io.penstock.btree;
