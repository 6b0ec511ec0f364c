package io.penstock.report;

/**
 * The findings of a check of an index.
 *
 * @param records of the collection
 * @param entries of the index that fit their records
 * @param missing records that the index should find and does not: a fault, build the index anew
 * @param leftOver entries that do not fit their records any more: scans leave them out, a scrub removes them
 * @param pending records whose entries are still to be written: scans find them, a scrub writes them
 * @param duplicates search keys that several records have: no fault, unless they are meant to be unique
 */
public record IndexReport(long records, long entries, long missing, long leftOver, long pending, long duplicates) {}
