/**
 * The catalog of a store's collections: one object for each, which changes only when indexes are added, built or
 * dropped.
 */
package io.penstock.commit.catalog;
