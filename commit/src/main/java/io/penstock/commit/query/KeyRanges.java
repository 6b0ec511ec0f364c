package io.penstock.commit.query;

import io.penstock.commit.index.CompositeKey;
import io.penstock.core.Bytes;
import io.penstock.core.record.KeyRange;
import io.penstock.query.Condition;
import io.penstock.query.Field;
import io.penstock.query.KeyField;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;

/** The ranges of keys, or of entries of an index, in which a condition can be true. Pure. */
public final class KeyRanges {
    /** The most ranges of one scan; of more, the span from the first to the last. */
    private static final int RANGES_MAX = 1_000;

    private KeyRanges() {}

    /**
     * The ranges of keys of a collection; all keys where the condition says nothing of them.
     *
     * @param fields of the collection
     */
    public static List<KeyRange> ofKeys(KeyShape shape, List<Field<?>> fields, Condition condition) {
        Condition normal = Conditions.normal(condition);
        List<Extent> extents = new ArrayList<>();
        for (int part = 0; part < shape.codecs().size(); part++) {
            Optional<Extent> extent = extent(fields, part, normal);
            if (extent.isEmpty()) {
                break;
            }
            extents.add(extent.get());
        }
        List<KeyRange> ranges = new ArrayList<>();
        add(Bytes.EMPTY, extents, 0, shape.codecs().size(), ranges);
        return bounded(Extent.merged(ranges));
    }

    /** The values of a part of the key by a condition; empty if it says nothing of it. */
    private static Optional<Extent> extent(List<Field<?>> fields, int part, Condition normal) {
        Extent both = null;
        for (Field<?> field : fields) {
            if (field instanceof KeyField<?> key && !key.isComputed() && KeyShape.part(key) == part) {
                Extent one = Extent.of(key, normal);
                both = both == null ? one : both.and(one);
            }
        }
        return Optional.ofNullable(both).filter(extent -> !extent.isAny());
    }

    /** Adds the ranges of keys that begin with {@code before}, by the extents of the parts from {@code part} on. */
    private static void add(Bytes before, List<Extent> extents, int part, int parts, List<KeyRange> ranges) {
        if (part == extents.size()) {
            ranges.add(before.isEmpty() ? KeyRange.all() : KeyRange.prefix(before));
            return;
        }
        boolean last = part == parts - 1;
        for (KeyRange range : extents.get(part).ranges()) {
            if (ranges.size() > RANGES_MAX) {
                ranges.add(before.isEmpty() ? KeyRange.all() : KeyRange.prefix(before));
                return;
            }
            if (!last && Extent.isPoint(range)) {
                add(before.concat(CompositeKey.prefix(range.from())), extents, part + 1, parts, ranges);
            } else {
                ranges.add(within(before, range, last));
            }
        }
    }

    /** The keys that begin with {@code before}, and go on with a part in a range. */
    private static KeyRange within(Bytes before, KeyRange range, boolean last) {
        Bytes from = last || range.from().isEmpty() ? range.from() : CompositeKey.prefix(range.from());
        Bytes to = range.to();
        if (to == null) {
            return new KeyRange(before.concat(from), before.isEmpty() ? null : before.prefixEnd());
        }
        return new KeyRange(before.concat(from), before.concat(last ? to : CompositeKey.prefix(to)));
    }

    /**
     * The ranges of entries of an index by one field, or by several; empty where the condition does not keep from it
     * the records that the index leaves out, or says nothing of the first field.
     */
    public static Optional<List<KeyRange>> ofEntries(List<? extends Field<?>> fields, Condition condition) {
        Condition normal = Conditions.normal(condition);
        Extent first = Extent.of(fields.getFirst(), normal);
        if (first.nulls() || first.isAny()) {
            return Optional.empty();
        }
        List<KeyRange> searchKeys = fields.size() == 1 ? first.ranges() : ofParts(fields, normal);
        List<KeyRange> ranges = searchKeys.stream()
                .map(range -> within(Bytes.EMPTY, range, false))
                .toList();
        return Optional.of(bounded(ranges));
    }

    /** The ranges of search keys of an index by several fields, each of which is a part with an end. */
    private static List<KeyRange> ofParts(List<? extends Field<?>> fields, Condition normal) {
        List<Extent> extents =
                fields.stream().map(field -> Extent.of(field, normal).asParts()).toList();
        List<KeyRange> ranges = new ArrayList<>();
        add(Bytes.EMPTY, extents, 0, Integer.MAX_VALUE, ranges);
        return Extent.merged(ranges);
    }

    /** Whether a condition asks for one value of each of some fields. */
    public static boolean arePoints(List<? extends Field<?>> fields, Condition condition) {
        Condition normal = Conditions.normal(condition);
        return fields.stream().map(field -> Extent.of(field, normal)).allMatch(Extent::isPoint);
    }

    /** Whether a condition keeps the records away where a field is null. */
    public static boolean excludesNull(Field<?> field, Condition condition) {
        return !Extent.of(field, Conditions.normal(condition)).nulls();
    }

    /** Returns what some ranges have in common with another one. */
    public static List<KeyRange> within(KeyRange part, List<KeyRange> ranges) {
        return ranges.stream()
                .map(range -> Extent.common(part, range))
                .filter(range -> !range.isEmpty())
                .toList();
    }

    /**
     * Returns the rest of some ranges without others.
     *
     * @param without in their order; none touches another
     */
    public static List<KeyRange> without(List<KeyRange> ranges, List<KeyRange> without) {
        List<KeyRange> left = new ArrayList<>();
        for (KeyRange range : ranges) {
            Bytes from = range.from();
            for (KeyRange gap : without) {
                if (from == null
                        || Extent.common(new KeyRange(from, range.to()), gap).isEmpty()) {
                    continue;
                }
                if (from.compareTo(gap.from()) < 0) {
                    left.add(new KeyRange(from, gap.from()));
                }
                from = gap.to();
            }
            if (from != null && !new KeyRange(from, range.to()).isEmpty()) {
                left.add(new KeyRange(from, range.to()));
            }
        }
        return left;
    }

    /** Divides ranges where others begin. */
    public static List<KeyRange> divided(List<KeyRange> ranges, NavigableSet<Bytes> begins) {
        List<KeyRange> parts = new ArrayList<>();
        for (KeyRange range : ranges) {
            Bytes from = range.from();
            for (Bytes begin : begins.tailSet(from, false)) {
                if (!range.contains(begin)) {
                    break;
                }
                parts.add(new KeyRange(from, begin));
                from = begin;
            }
            parts.add(new KeyRange(from, range.to()));
        }
        return parts;
    }

    /** Whether a range has one key at most. */
    public static boolean isPoint(KeyRange range) {
        return Extent.isPoint(range);
    }

    private static List<KeyRange> bounded(List<KeyRange> ranges) {
        return ranges.size() <= RANGES_MAX
                ? ranges
                : List.of(
                        new KeyRange(ranges.getFirst().from(), ranges.getLast().to()));
    }
}
