package io.penstock.commit.simulation;

import io.penstock.ConsistencyLevel;
import io.penstock.Layout;
import io.penstock.Settings;
import io.penstock.core.Compression;
import io.penstock.testkit.Profile;
import java.time.Duration;

/**
 * The setup of a run's store.
 *
 * @param profile latencies and limits of the servers
 * @param indexed whether the first collection has a secondary index
 * @param compression of all collections; never drawn, so that a seed is the same story with and without it
 */
record Shape(
        Profile profile,
        Layout layout,
        int pageBytes,
        long poolBytes,
        Duration ttl,
        Duration lease,
        Duration checkpointInterval,
        Duration forwardInterval,
        Duration deadAfter,
        boolean indexed,
        Compression compression) {
    Settings apply(Settings settings, ConsistencyLevel level) {
        return settings.level(level)
                .advanced(advanced -> advanced.layout(layout))
                .pageBytes(pageBytes)
                .poolBytes(poolBytes)
                .ttl(ttl)
                .advanced(advanced -> advanced.lease(lease))
                .checkpointInterval(checkpointInterval)
                .advanced(
                        advanced -> advanced.forwardInterval(forwardInterval).heartbeatInterval(deadAfter.dividedBy(5)))
                .deadAfter(deadAfter)
                .advanced(advanced -> advanced.clockSkewMax(CLOCK_SKEW_MAX))
                .closeWithin(Duration.ofSeconds(20));
    }

    /** Far below the days by which the lives of tombstones and log records differ. */
    static final Duration CLOCK_SKEW_MAX = Duration.ofMinutes(5);

    Shape withLayout(Layout next) {
        return new Shape(
                profile,
                next,
                pageBytes,
                poolBytes,
                ttl,
                lease,
                checkpointInterval,
                forwardInterval,
                deadAfter,
                indexed,
                compression);
    }

    Shape withProfile(Profile next) {
        return new Shape(
                next,
                layout,
                pageBytes,
                poolBytes,
                ttl,
                lease,
                checkpointInterval,
                forwardInterval,
                deadAfter,
                indexed,
                compression);
    }

    /** The figures of {@link Settings} as a user gets them. */
    Shape withDefaults() {
        return new Shape(
                profile,
                layout,
                pageBytes,
                poolBytes,
                Duration.ofSeconds(10),
                Duration.ofSeconds(60),
                Duration.ofSeconds(10),
                Duration.ofSeconds(1),
                Duration.ofMinutes(5),
                indexed,
                compression);
    }

    /** Only what makes trees and queues of few records interesting; the rest is as a user gets it. */
    Settings applyToDefaults(Settings settings, ConsistencyLevel level) {
        return settings.level(level)
                .advanced(advanced -> advanced.layout(layout))
                .pageBytes(pageBytes)
                .poolBytes(poolBytes);
    }

    /** When clients are taken for dead, and how long a crash may find something that was not forwarded. */
    Shape withDeaths(Duration deadAfterNow, Duration forwardIntervalNow) {
        return new Shape(
                profile,
                layout,
                pageBytes,
                poolBytes,
                ttl,
                lease,
                checkpointInterval,
                forwardIntervalNow,
                deadAfterNow,
                indexed,
                compression);
    }

    /** Small pages, of which new versions come and are looked at often. */
    Shape withCrowd(int pageBytesNow, Duration ttlNow, Duration checkpointIntervalNow) {
        return new Shape(
                profile,
                layout,
                pageBytesNow,
                poolBytes,
                ttlNow,
                lease,
                checkpointIntervalNow,
                forwardInterval,
                deadAfter,
                indexed,
                compression);
    }

    Shape withIndexed(boolean next) {
        return new Shape(
                profile,
                layout,
                pageBytes,
                poolBytes,
                ttl,
                lease,
                checkpointInterval,
                forwardInterval,
                deadAfter,
                next,
                compression);
    }

    Shape withCompression(Compression next) {
        return new Shape(
                profile,
                layout,
                pageBytes,
                poolBytes,
                ttl,
                lease,
                checkpointInterval,
                forwardInterval,
                deadAfter,
                indexed,
                next);
    }
}
