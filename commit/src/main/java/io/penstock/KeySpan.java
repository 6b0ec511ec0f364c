package io.penstock;

import io.penstock.core.InvalidRequestException;
import org.jspecify.annotations.Nullable;

/**
 * Which keys to scan, and which way. Made by the factories below, and changed by the methods that return another.
 *
 * @param from the lowest key, inclusive; null for the first
 * @param to the upper end, exclusive; null for the last
 * @param prefixed whether the keys are those that begin with {@code from}
 * @param descending from the upper end down
 * @param limit how many records at most; 0 for no limit
 * @param after where an earlier scan stopped ({@link Scan#token}); null for the beginning
 */
public record KeySpan<K>(
        @Nullable K from,
        @Nullable K to,
        boolean prefixed,
        boolean descending,
        long limit,
        @Nullable String after) {
    public static <K> KeySpan<K> all() {
        return new KeySpan<>(null, null, false, false, 0, null);
    }

    public static <K> KeySpan<K> from(K from) {
        return new KeySpan<>(from, null, false, false, 0, null);
    }

    public static <K> KeySpan<K> between(K from, K to) {
        if (from == null || to == null) {
            throw new InvalidRequestException("a span between two keys needs both; use from() or all() otherwise");
        }
        return new KeySpan<>(from, to, false, false, 0, null);
    }

    /** The keys whose bytes begin with those of {@code prefix}: of strings and bytes, what one expects. */
    public static <K> KeySpan<K> startingWith(K prefix) {
        return new KeySpan<>(prefix, null, true, false, 0, null);
    }

    /** The same keys, from the last to the first. */
    public KeySpan<K> reversed() {
        return new KeySpan<>(from, to, prefixed, !descending, limit, after);
    }

    /** The first {@code records} of them. */
    public KeySpan<K> limit(long records) {
        if (records < 1) {
            throw new InvalidRequestException("a scan is limited to 1 record at least", "limit", records);
        }
        return new KeySpan<>(from, to, prefixed, descending, records, after);
    }

    /** Those behind the last record of an earlier scan in the same direction. */
    public KeySpan<K> after(String token) {
        return new KeySpan<>(from, to, prefixed, descending, limit, token);
    }
}
