/**
 * Pages as objects: reading and writing them ({@link io.penstock.core.pool.PageManager}), keeping them in memory
 * ({@link io.penstock.core.pool.BufferPool}) and, as a second level, on a local disk ({@link
 * io.penstock.core.pool.PageTier}).
 */
package io.penstock.core.pool;
