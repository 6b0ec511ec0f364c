package io.penstock.core.page;

import java.time.Duration;

/**
 * Settings of a {@link BufferPool}.
 *
 * @param bytesMax how many bytes of pages are kept, their overhead on the heap included (an estimate)
 * @param ttl how long a page is used without asking the store whether it changed
 */
public record PoolSettings(long bytesMax, Duration ttl) {
    /** 256 MiB, 30 s. */
    public static final PoolSettings DEFAULT = new PoolSettings(256L << 20, Duration.ofSeconds(30));

    public PoolSettings {
        if (bytesMax < 0 || ttl.isNegative()) {
            throw new io.penstock.core.InvalidRequestException(
                    "pool settings must not be negative; mend them", "bytesMax", bytesMax, "ttl", ttl);
        }
    }
}
