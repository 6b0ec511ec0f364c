package io.penstock.bench.tpcw.run;

import io.penstock.Settings;
import io.penstock.testkit.Profile;
import java.time.Duration;

/**
 * The settings of stores.
 *
 * @param poolBytes of each client
 */
public record Tuning(int pageBytes, long poolBytes, Duration ttl, Duration checkpointInterval) {
    /** The library's own defaults. */
    public static final Tuning TODAY = new Tuning(64 << 10, 64L << 20, Duration.ofSeconds(10), Duration.ofSeconds(10));

    /**
     * The paper's: 100 KB pages, a cache of 5 MB, a TTL of 100 s. The checkpoint interval of its tables is not
     * published; its figure 3 is flat from 20 s on.
     */
    private static final Tuning PAPER = new Tuning(100_000, 5_000_000, Duration.ofSeconds(100), Duration.ofSeconds(20));

    /** The store may take long to drain over a slow cloud; in virtual time that costs nothing. */
    private static final Duration CLOSE_WITHIN = Duration.ofMinutes(10);

    /** The settings of stores on a simulated cloud. */
    public static Tuning of(Profile profile) {
        return profile.equals(Profile.PAPER_2008) ? PAPER : TODAY;
    }

    /** Returns these settings with other times. */
    public Tuning with(Duration newTtl, Duration newCheckpointInterval) {
        return new Tuning(pageBytes, poolBytes, newTtl, newCheckpointInterval);
    }

    /** Returns {@code settings} with these. */
    public Settings apply(Settings settings) {
        return settings.pageBytes(pageBytes)
                .poolBytes(poolBytes)
                .ttl(ttl)
                .checkpointInterval(checkpointInterval)
                .closeWithin(CLOSE_WITHIN);
    }
}
