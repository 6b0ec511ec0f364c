package io.penstock.core.record;

import io.penstock.core.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * An interval of keys, from {@code from} (inclusive) to {@code to} (exclusive). This one form expresses every interval,
 * because {@link #after} turns an exclusive lower bound, or an inclusive upper one, into the other kind. Immutable.
 *
 * @param from the first key that may be in the range; empty: unbounded
 * @param to the first key beyond the range; null: unbounded
 */
public record KeyRange(Bytes from, @Nullable Bytes to) {
    private static final Bytes ZERO = Bytes.wrap(new byte[1]);

    public static KeyRange all() {
        return new KeyRange(Bytes.EMPTY, null);
    }

    public static KeyRange atLeast(Bytes from) {
        return new KeyRange(from, null);
    }

    /** Keys that start with {@code prefix}. */
    public static KeyRange prefix(Bytes prefix) {
        return new KeyRange(prefix, prefix.prefixEnd());
    }

    /** The smallest key above {@code key}: the same, followed by a zero byte. */
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
