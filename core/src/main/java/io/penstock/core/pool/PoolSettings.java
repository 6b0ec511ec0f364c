package io.penstock.core.pool;

import java.time.Duration;

/**
 * Settings of a {@link BufferPool}.
 *
 * @param bytesMax the bytes of pages kept, including their overhead on the heap (an estimate)
 * @param ttl how long a page is used without asking the store whether it changed
 * @param readLag the longest time that the store's reads lag behind its writes; zero where a read shows the last write
 */
public record PoolSettings(long bytesMax, Duration ttl, Duration readLag) {
    /** 256 MiB, 30 s. */
    public static final PoolSettings DEFAULT = new PoolSettings(256L << 20, Duration.ofSeconds(30));

    /** For a store whose reads do not lag. */
    public PoolSettings(long bytesMax, Duration ttl) {
        this(bytesMax, ttl, Duration.ZERO);
    }

    public PoolSettings {
        if (bytesMax < 0 || ttl.isNegative() || readLag.isNegative()) {
            throw new io.penstock.core.InvalidRequestException(
                    "pool settings must not be negative; correct them",
                    "bytesMax",
                    bytesMax,
                    "ttl",
                    ttl,
                    "readLag",
                    readLag);
        }
    }
}
