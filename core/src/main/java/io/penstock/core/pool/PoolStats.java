package io.penstock.core.pool;

/**
 * Counters of a {@link BufferPool} since it was made, and what it holds now.
 *
 * @param hits lookups that found a page, fresh or not
 * @param misses lookups that found none
 * @param revalidations questions to the store whether a page changed
 * @param evictions pages dropped for want of room
 * @param pages pages held
 * @param bytes bytes held, as {@link PoolSettings#bytesMax} counts them
 */
public record PoolStats(long hits, long misses, long revalidations, long evictions, long pages, long bytes) {}
