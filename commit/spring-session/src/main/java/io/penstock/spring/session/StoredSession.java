package io.penstock.spring.session;

import io.penstock.annotation.Indexed;
import io.penstock.annotation.Key;
import io.penstock.annotation.Stored;
import io.penstock.annotation.Unique;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The record of a session. Its domain is its own: who follows the changes of other records does not get sessions.
 *
 * @param key the id that the session was made with: it stays when the id changes, so a request that began before the
 *     change still finds the session
 * @param maxInactive negative: the session never expires
 */
@Stored(value = "spring-session", domain = StoredSession.DOMAIN)
record StoredSession(
        @Key String key,
        @Unique String id,
        Instant created,
        Instant accessed,
        Duration maxInactive,
        @Indexed @Nullable String principal,
        Map<String, byte[]> attributes) {
    static final String DOMAIN = "spring-session";

    /** A request that began in time may save the session after its end, and the clocks of servers differ. */
    private static final Duration GRACE = Duration.ofMinutes(5);

    /** The time from which on the store drops the record; null for never. */
    @Nullable
    Instant kept() {
        return maxInactive.isNegative() ? null : accessed.plus(maxInactive).plus(GRACE);
    }

    /**
     * This session, as others have left it, with the changes of a request, which found {@code base}. An attribute has
     * changed when its array is another one.
     */
    StoredSession with(StoredSession base, StoredSession mine) {
        Map<String, byte[]> merged = new TreeMap<>(attributes);
        merged.keySet().removeIf(name -> base.attributes.containsKey(name) && !mine.attributes.containsKey(name));
        mine.attributes.forEach((name, bytes) -> {
            if (bytes != base.attributes.get(name)) {
                merged.put(name, bytes);
            }
        });
        return new StoredSession(
                key,
                changed(base.id, mine.id, id),
                created,
                lastAccess(base.accessed, mine.accessed, accessed),
                changed(base.maxInactive, mine.maxInactive, maxInactive),
                changed(base.principal, mine.principal, principal),
                merged);
    }

    /** The later one if both have changed: of two requests the one that began later may end first. */
    private static Instant lastAccess(Instant base, Instant mine, Instant others) {
        return others.isAfter(mine) && !others.equals(base) ? others : changed(base, mine, others);
    }

    private static <T extends @Nullable Object> T changed(T base, T mine, T others) {
        return Objects.equals(base, mine) ? others : mine;
    }
}
