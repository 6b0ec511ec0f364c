package io.penstock;

import io.penstock.commit.indexing.CollectionParts;
import io.penstock.commit.settings.Bounds;
import io.penstock.core.page.Expiry;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The lives of records, and their ends in milliseconds since 1970. */
final class TimeToLive {
    private static final Duration MAX = Duration.ofDays(36_500);

    private TimeToLive() {}

    static Duration require(Duration value) {
        return Bounds.requireRange("timeToLive", value, Duration.ofMillis(1), MAX);
    }

    /**
     * The end of a record that is put now; without a time to live there is none. The time counts from the newest stamp
     * that was seen, since transactions of a domain see no earlier one.
     */
    static long endMillis(CollectionParts parts, @Nullable Duration timeToLive) {
        return timeToLive == null
                ? Expiry.NEVER
                : newestMillis(parts) + require(timeToLive).toMillis();
    }

    /** The end of a record at a time; without one, or after a hundred years, as its time to live says. */
    static long endMillis(CollectionParts parts, @Nullable Instant at, @Nullable Duration timeToLive) {
        if (at == null || at.isAfter(Instant.ofEpochMilli(newestMillis(parts)).plus(MAX))) {
            return endMillis(parts, timeToLive);
        }
        return at.isBefore(Instant.EPOCH) ? 1 : Math.max(1, at.toEpochMilli());
    }

    private static long newestMillis(CollectionParts parts) {
        return parts.loads().clock().newestMillis();
    }
}
