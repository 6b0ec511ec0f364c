package io.penstock.core.pool;

/**
 * Counters of a {@link BufferPool} since its creation, and its present content.
 *
 * @param hits lookups that found a page, fresh or not
 * @param misses lookups that found none
 * @param revalidations requests to the store whether a page changed
 * @param evictions pages dropped for lack of room
 * @param pages pages held
 * @param bytes bytes held, as {@link PoolRoom#bytesMax} counts them
 */
public record PoolStats(long hits, long misses, long revalidations, long evictions, long pages, long bytes) {}
