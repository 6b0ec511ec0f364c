package io.penstock;

import io.penstock.commit.session.ResumeToken;
import io.penstock.core.Bytes;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.TreeId;
import io.penstock.core.record.Direction;
import io.penstock.core.record.KeyRange;
import org.jspecify.annotations.Nullable;

/**
 * A span of keys to scan, with a direction and a limit. Immutable: made by the factories below, and changed by methods
 * that return another:
 *
 * <pre>{@code
 * books.scan(KeySpan.between("a", "c").reversed().limit(20))
 * }</pre>
 *
 * @param from the lowest key, inclusive; null for the first
 * @param to the upper end, exclusive; null for the last
 * @param prefixed whether the span has the keys that begin with {@code from}
 * @param descending from the upper end down
 * @param limit the maximum number of records; 0 for no limit
 * @param after where an earlier scan stopped ({@link Scan#token}); null for the beginning
 */
public record KeySpan<K>(
        @Nullable K from,
        @Nullable K to,
        boolean prefixed,
        boolean descending,
        long limit,
        @Nullable String after) {
    /** All keys. */
    public static <K> KeySpan<K> all() {
        return new KeySpan<>(null, null, false, false, 0, null);
    }

    /** The keys from {@code from} (inclusive) to the last. */
    public static <K> KeySpan<K> from(K from) {
        requireKey(from);
        return new KeySpan<>(from, null, false, false, 0, null);
    }

    /** The keys from {@code from} (inclusive) to {@code to} (exclusive). */
    public static <K> KeySpan<K> between(K from, K to) {
        if (from == null || to == null) {
            throw new InvalidRequestException("a span between two keys needs both; use from() or all() otherwise");
        }
        return new KeySpan<>(from, to, false, false, 0, null);
    }

    /**
     * The keys whose bytes begin with those of {@code prefix}: for strings and byte strings, a prefix in the usual
     * sense.
     */
    public static <K> KeySpan<K> startingWith(K prefix) {
        requireKey(prefix);
        return new KeySpan<>(prefix, null, true, false, 0, null);
    }

    private static void requireKey(@Nullable Object key) {
        if (key == null) {
            throw new InvalidRequestException("a span that begins at a key needs one; use all() for every key");
        }
    }

    /** Returns a span of these keys in the opposite order, from the last to the first. */
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

    /**
     * Returns a span of the keys after the last record of an earlier scan in the same direction.
     *
     * @param token of {@link Scan#token} or {@link Scan.Page#next}; null for the beginning
     */
    public KeySpan<K> after(@Nullable String token) {
        return new KeySpan<>(from, to, prefixed, descending, limit, token);
    }

    /** The bytes of these keys, whose class the codec must take. */
    KeyRange range(KeyCodec<? extends K> keys) {
        K first = from;
        K end = to;
        if (first != null && prefixed) {
            return KeyRange.prefix(encode(keys, first));
        }
        return new KeyRange(first == null ? Bytes.EMPTY : encode(keys, first), end == null ? null : encode(keys, end));
    }

    /**
     * The bytes of a key.
     *
     * @throws InvalidRequestException when it is of another class than the codec's
     */
    @SuppressWarnings("unchecked") // a codec that cannot take it throws
    static <K> Bytes encode(KeyCodec<? extends K> keys, K key) {
        try {
            return ((KeyCodec<K>) keys).encode(key);
        } catch (ClassCastException other) {
            throw new InvalidRequestException(
                    "a key is of another class than those of its collection or index; convert it",
                    other,
                    "class",
                    key.getClass().getName());
        }
    }

    /** Returns the part of a range of {@code tree} after the token that this span may have. */
    KeyRange resumed(KeyRange range, TreeId tree) {
        String token = after;
        if (token == null) {
            return range;
        }
        Bytes last = ResumeToken.decode(tree, token);
        if (descending) {
            Bytes end = range.to();
            return new KeyRange(range.from(), end == null || last.compareTo(end) < 0 ? last : end);
        }
        Bytes next = KeyRange.after(last);
        return new KeyRange(next.compareTo(range.from()) > 0 ? next : range.from(), range.to());
    }

    Direction direction() {
        return descending ? Direction.DESCENDING : Direction.ASCENDING;
    }
}
