package io.penstock.core.record;

import io.penstock.core.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * An interval of keys. Every bound can be put in this one form, since the smallest key above a key is that key followed
 * by a zero byte. Immutable.
 *
 * @param from the first key that may be in the range; empty: unbounded
 * @param to the first key that is beyond the range; null: unbounded
 */
public record KeyRange(Bytes from, @Nullable Bytes to) {
    private static final Bytes ZERO = Bytes.wrap(new byte[1]);

    public static KeyRange all() {
        return new KeyRange(Bytes.EMPTY, null);
    }

    /** Keys from {@code from} (inclusive) to {@code to} (exclusive). */
    public static KeyRange between(Bytes from, Bytes to) {
        return new KeyRange(from, to);
    }

    /** Keys from {@code from} to {@code to}, each bound inclusive or not. */
    public static KeyRange between(Bytes from, boolean fromInclusive, Bytes to, boolean toInclusive) {
        return new KeyRange(fromInclusive ? from : after(from), toInclusive ? after(to) : to);
    }

    public static KeyRange atLeast(Bytes from) {
        return new KeyRange(from, null);
    }

    public static KeyRange above(Bytes from) {
        return new KeyRange(after(from), null);
    }

    public static KeyRange below(Bytes to) {
        return new KeyRange(Bytes.EMPTY, to);
    }

    public static KeyRange atMost(Bytes to) {
        return new KeyRange(Bytes.EMPTY, after(to));
    }

    /** Keys that start with {@code prefix}. */
    public static KeyRange prefix(Bytes prefix) {
        return new KeyRange(prefix, prefix.prefixEnd());
    }

    public static KeyRange only(Bytes key) {
        return new KeyRange(key, after(key));
    }

    /** The smallest key above {@code key}. */
    public static Bytes after(Bytes key) {
        return key.concat(ZERO);
    }

    public boolean contains(Bytes key) {
        return key.compareTo(from) >= 0 && isBelowEnd(key);
    }

    public boolean isEmpty() {
        return to != null && from.compareTo(to) >= 0;
    }

    boolean isBelowEnd(Bytes key) {
        return to == null || key.compareTo(to) < 0;
    }

    /** The bounds' lengths alone: keys must not reach a log by accident. */
    @Override
    public String toString() {
        return "range[" + from + ", " + to + ")";
    }
}
