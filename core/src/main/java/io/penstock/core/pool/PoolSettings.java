package io.penstock.core.pool;

import java.time.Duration;

/**
 * Settings of a {@link BufferPool}.
 *
 * @param bytesMax the bytes of pages kept, including their overhead on the heap (an estimate)
 * @param ttl the time for which a page is used without asking the store whether it changed
 */
public record PoolSettings(long bytesMax, Duration ttl) {
    /** 256 MiB, 30 s. */
    public static final PoolSettings DEFAULT = new PoolSettings(256L << 20, Duration.ofSeconds(30));

    public PoolSettings {
        if (bytesMax < 0 || ttl.isNegative()) {
            throw new io.penstock.core.InvalidRequestException(
                    "pool settings must not be negative; correct them", "bytesMax", bytesMax, "ttl", ttl);
        }
    }
}
