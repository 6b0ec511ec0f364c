package io.penstock.commit;

import io.penstock.core.InvalidRequestException;
import org.jspecify.annotations.Nullable;

/**
 * Which keys to scan, and which way.
 *
 * @param from the lowest key, inclusive; null for the first
 * @param to the upper end, exclusive; null for the last
 * @param descending from the upper end down
 */
public record KeySpan<K>(@Nullable K from, @Nullable K to, boolean descending) {
    public static <K> KeySpan<K> all() {
        return new KeySpan<>(null, null, false);
    }

    public static <K> KeySpan<K> from(K from) {
        return new KeySpan<>(from, null, false);
    }

    public static <K> KeySpan<K> between(K from, K to) {
        if (from == null || to == null) {
            throw new InvalidRequestException("a span between two keys needs both; use from() or all() otherwise");
        }
        return new KeySpan<>(from, to, false);
    }

    /** The same keys, from the last to the first. */
    public KeySpan<K> reversed() {
        return new KeySpan<>(from, to, !descending);
    }
}
