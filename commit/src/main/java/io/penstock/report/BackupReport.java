package io.penstock.report;

import java.time.Instant;

/**
 * The outcome of a backup.
 *
 * @param full whether it has all records; else only what was committed since the last one
 * @param records of collections and indexes that were read
 * @param transactions of commit logs that were taken
 * @param bytes that were written
 * @param takenAt the moment up to which it has everything, by the servers' clock
 */
public record BackupReport(boolean full, long records, long transactions, long bytes, Instant takenAt) {}
