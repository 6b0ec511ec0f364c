package io.penstock.core.pool;

/**
 * Counters of a {@link PageTier} since it was opened, and its present content.
 *
 * @param hits lookups that found a page
 * @param misses lookups that found none
 * @param bytesRead page bytes found, which the object store did not have to send if they were current
 * @param damaged pages whose bytes had changed, and that were dropped
 * @param evictions pages dropped for lack of room
 * @param failures reads and writes that the disk refused
 * @param pages pages held
 * @param bytes bytes held, in files, headers included
 */
public record TierStats(
        long hits, long misses, long bytesRead, long damaged, long evictions, long failures, long pages, long bytes) {
    public static final TierStats NONE = new TierStats(0, 0, 0, 0, 0, 0, 0, 0);
}
