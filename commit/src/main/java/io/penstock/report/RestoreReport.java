package io.penstock.report;

/**
 * The outcome of restoring a backup, or of copying a store.
 *
 * @param collections that were made
 * @param records that the base of the backup, or the store, had
 * @param transactions that were replayed over them
 * @param missing records that are not there, since their large payloads had been replaced and removed before a backup
 *     could take them: restore a later moment, or the last one
 * @param unbuilt indexes that were added to their collections later, and have to be built again
 */
public record RestoreReport(long collections, long records, long transactions, long missing, long unbuilt) {}
