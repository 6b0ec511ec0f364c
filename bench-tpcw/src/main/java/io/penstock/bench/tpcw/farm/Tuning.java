package io.penstock.bench.tpcw.farm;

import io.penstock.Settings;
import java.time.Duration;

/**
 * The settings of stores.
 *
 * @param poolBytes of each client
 */
public record Tuning(int pageBytes, long poolBytes, Duration ttl, Duration checkpointInterval) {
    /** The store may take long to drain over a slow cloud; in virtual time that costs nothing. */
    private static final Duration CLOSE_WITHIN = Duration.ofMinutes(10);

    /** Returns {@code settings} with these. */
    public Settings apply(Settings settings) {
        return settings.pageBytes(pageBytes)
                .poolBytes(poolBytes)
                .ttl(ttl)
                .checkpointInterval(checkpointInterval)
                .closeWithin(CLOSE_WITHIN);
    }
}
