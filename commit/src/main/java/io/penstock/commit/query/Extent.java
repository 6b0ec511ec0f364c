package io.penstock.commit.query;

import io.penstock.commit.index.FieldPart;
import io.penstock.core.Bytes;
import io.penstock.core.record.KeyRange;
import io.penstock.query.Condition;
import io.penstock.query.Field;
import io.penstock.query.FieldType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The values that a field can have where a condition is true, and perhaps others: as ranges of their bytes. Pure.
 * Immutable.
 *
 * @param ranges in their order; none touches another
 * @param nulls whether it can be null
 */
record Extent(List<KeyRange> ranges, boolean nulls) {
    private static final List<KeyRange> ANY = List.of(KeyRange.all());

    Extent {
        ranges = List.copyOf(ranges);
    }

    /** The extent of a field in a condition as {@link Conditions#normal} returns them. */
    static Extent of(Field<?> field, Condition condition) {
        return switch (condition) {
            case Condition.Compare compare
            when compare.field().equals(field) ->
                values(compared(compare.operator(), bytes(field.type(), compare.value())));
            case Condition.In in when in.field().equals(field) -> values(points(in));
            case Condition.Prefix prefix
            when prefix.field().equals(field) -> values(List.of(KeyRange.prefix(bytes(field.type(), prefix.prefix()))));
            case Condition.IsNull asked when asked.field().equals(field) -> new Extent(List.of(), true);
            case Condition.Not not
            when not.part() instanceof Condition.IsNull asked && asked.field().equals(field) -> values(ANY);
            case Condition.Not not when Conditions.fields(not.part()).contains(field) -> values(ANY);
            case Condition.And and -> {
                Extent all = any();
                for (Condition part : and.parts()) {
                    all = all.and(of(field, part));
                }
                yield all;
            }
            case Condition.Or or -> {
                List<KeyRange> ranges = new ArrayList<>();
                boolean nulls = false;
                for (Condition part : or.parts()) {
                    Extent one = of(field, part);
                    ranges.addAll(one.ranges);
                    nulls |= one.nulls;
                }
                yield new Extent(merged(ranges), nulls);
            }
            default -> any();
        };
    }

    private static Extent any() {
        return new Extent(ANY, true);
    }

    private static Extent values(List<KeyRange> ranges) {
        return new Extent(ranges.stream().filter(range -> !range.isEmpty()).toList(), false);
    }

    /** The bytes of a value that was checked to be of its type. */
    static <T> Bytes bytes(FieldType<T> type, Object value) {
        return type.encode(type.javaType().cast(value));
    }

    private static List<KeyRange> compared(Condition.Operator operator, Bytes value) {
        Bytes after = KeyRange.after(value);
        KeyRange below = new KeyRange(Bytes.EMPTY, value);
        return switch (operator) {
            case EQ -> List.of(new KeyRange(value, after));
            case NE -> List.of(below, KeyRange.atLeast(after));
            case LT -> List.of(below);
            case LE -> List.of(new KeyRange(Bytes.EMPTY, after));
            case GT -> List.of(KeyRange.atLeast(after));
            case GE -> List.of(KeyRange.atLeast(value));
        };
    }

    private static List<KeyRange> points(Condition.In in) {
        Stream<Bytes> values =
                in.values().stream().map(value -> bytes(in.field().type(), value));
        return merged(
                values.map(value -> new KeyRange(value, KeyRange.after(value))).toList());
    }

    Extent and(Extent other) {
        List<KeyRange> both = new ArrayList<>();
        for (KeyRange one : ranges) {
            for (KeyRange two : other.ranges) {
                KeyRange common = common(one, two);
                if (!common.isEmpty()) {
                    both.add(common);
                }
            }
        }
        return new Extent(both, nulls && other.nulls);
    }

    /** The range of what is in both. */
    static KeyRange common(KeyRange one, KeyRange other) {
        Bytes from = one.from().compareTo(other.from()) >= 0 ? one.from() : other.from();
        Bytes a = one.to();
        Bytes b = other.to();
        return new KeyRange(from, a == null || b != null && b.compareTo(a) < 0 ? b : a);
    }

    /** Ranges in order, those that touch as one. */
    static List<KeyRange> merged(List<KeyRange> ranges) {
        List<KeyRange> merged = new ArrayList<>();
        ranges.stream().sorted(Comparator.comparing(KeyRange::from)).forEach(range -> {
            KeyRange last = merged.isEmpty() ? null : merged.getLast();
            if (last == null || last.to() != null && last.to().compareTo(range.from()) < 0) {
                merged.add(range);
                return;
            }
            Bytes a = last.to();
            Bytes b = range.to();
            Bytes to = a == null || b == null ? null : a.compareTo(b) >= 0 ? a : b;
            merged.set(merged.size() - 1, new KeyRange(last.from(), to));
        });
        return merged;
    }

    /** This extent as parts of the search key of an index of several fields. */
    Extent asParts() {
        List<KeyRange> parts = new ArrayList<>();
        for (KeyRange range : ranges) {
            Bytes to = range.to();
            parts.add(
                    new KeyRange(FieldPart.present(range.from()), to == null ? FieldPart.NULL : FieldPart.present(to)));
        }
        if (nulls) {
            parts.add(new KeyRange(FieldPart.NULL, KeyRange.after(FieldPart.NULL)));
        }
        return new Extent(parts, false);
    }

    boolean isAny() {
        return ranges.equals(ANY);
    }

    /** Whether it is one value. */
    boolean isPoint() {
        return !nulls && ranges.size() == 1 && isPoint(ranges.getFirst());
    }

    /** Whether a range has one value. */
    static boolean isPoint(KeyRange range) {
        return range.to() != null && KeyRange.after(range.from()).equals(Objects.requireNonNull(range.to()));
    }
}
