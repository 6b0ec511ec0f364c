package io.penstock.commit.query;

import io.penstock.commit.log.WireReader;
import io.penstock.commit.log.WireWriter;
import io.penstock.core.Bytes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The values of a field in one leaf, roughly. Immutable.
 *
 * @param nulls the number of records in which it is null
 * @param min the least of its values, as bytes, or less; null when it has none
 * @param max the greatest of its values, as bytes, or more; null when it has none
 * @param bloom a {@link Bloom} filter of the values; empty without one
 */
record FieldStats(long nulls, @Nullable Bytes min, @Nullable Bytes max, Bytes bloom) {
    /** The longest bound; of a longer value a part is a bound too. */
    private static final int BOUND_BYTES_MAX = 40;

    private static final int VALUES = 1;

    /** Whether there is a record with a value. */
    boolean hasValues() {
        return min != null;
    }

    void write(WireWriter out) {
        out.varint(nulls).u8(min == null ? 0 : VALUES);
        if (min != null && max != null) {
            out.bytes(min).bytes(max);
        }
        out.bytes(bloom);
    }

    static FieldStats read(WireReader in) {
        long nulls = in.varint();
        boolean values = in.u8() == VALUES;
        Bytes min = values ? in.bytes() : null;
        Bytes max = values ? in.bytes() : null;
        if (min != null && max != null && min.compareTo(max) > 0) {
            throw in.corrupt("a least value that is greater than the greatest");
        }
        return new FieldStats(nulls, min, max, in.bytes());
    }

    /** The statistics of the values of a leaf that were added so far. For one thread. */
    static final class Gathered {
        private final int bloomBits;
        private final List<Bytes> values = new ArrayList<>();
        private long nulls;
        private @Nullable Bytes min;
        private @Nullable Bytes max;

        /** @param bloomBits the bits of a Bloom filter for each value; 0 for no filter */
        Gathered(int bloomBits) {
            this.bloomBits = bloomBits;
        }

        /** Adds the bytes of a value, or null. */
        void add(@Nullable Bytes value) {
            if (value == null) {
                nulls++;
                return;
            }
            min = min == null || value.compareTo(min) < 0 ? value : min;
            max = max == null || value.compareTo(max) > 0 ? value : max;
            if (bloomBits > 0) {
                values.add(value);
            }
        }

        FieldStats stats() {
            Bytes low = min == null
                    ? null
                    : min.slice(0, Math.min(min.length(), BOUND_BYTES_MAX)).copy();
            return new FieldStats(nulls, low, max == null ? null : above(max), Bloom.of(values, bloomBits));
        }

        private static Bytes above(Bytes max) {
            Bytes end = max.length() <= BOUND_BYTES_MAX
                    ? null
                    : max.slice(0, BOUND_BYTES_MAX).prefixEnd();
            return end == null ? max.copy() : end;
        }
    }
}
