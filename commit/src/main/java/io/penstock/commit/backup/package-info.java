/** Backups: cuts of a store's domains while everybody writes, their logs, and restoring them into an empty store. */
@org.jspecify.annotations.NullMarked
package io.penstock.commit.backup;
