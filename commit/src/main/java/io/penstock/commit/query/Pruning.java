package io.penstock.commit.query;

import io.penstock.commit.query.Filter.Truth;
import io.penstock.core.Bytes;
import io.penstock.core.record.KeyRange;
import io.penstock.query.Condition;
import io.penstock.query.Field;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The judgement of leaves by their summaries: whether a condition is true for none of their records, for each, or
 * perhaps for some. Pure.
 */
final class Pruning {
    private final Function<List<FieldStats>, Truth> judge;
    private final int fields;

    /**
     * @param condition in the form of {@link Conditions#normal}
     * @param known the fields of the summaries
     */
    Pruning(Condition condition, List<SummaryPart.Named> known) {
        this.judge = compile(condition, known);
        this.fields = known.size();
    }

    /** Judges a leaf: true if each record fulfils the condition, false if none does. */
    Truth of(LeafSummary leaf) {
        return leaf.records() == 0 ? Truth.FALSE : judge.apply(leaf.fields(fields));
    }

    private static Function<List<FieldStats>, Truth> compile(Condition condition, List<SummaryPart.Named> known) {
        return switch (condition) {
            case Condition.And and -> {
                var parts =
                        and.parts().stream().map(part -> compile(part, known)).toList();
                yield stats -> parts.stream()
                        .map(part -> part.apply(stats))
                        .min(Truth::compareTo)
                        .orElse(Truth.TRUE);
            }
            case Condition.Or or -> {
                var parts =
                        or.parts().stream().map(part -> compile(part, known)).toList();
                yield stats -> parts.stream()
                        .map(part -> part.apply(stats))
                        .max(Truth::compareTo)
                        .orElse(Truth.FALSE);
            }
            case Condition.IsNull asked -> of(asked.field(), known, Pruning::isNull);
            case Condition.Not not
            when not.part() instanceof Condition.IsNull asked ->
                of(asked.field(), known, stats -> isNull(stats).opposite());
            case Condition.Not not -> {
                Field<?> field = Conditions.fields(not.part()).iterator().next();
                Function<FieldStats, Truth> holds = valued(field, not.part());
                yield of(field, known, stats -> without(stats, holds.apply(stats)));
            }
            case Condition.Compare compare -> of(compare.field(), known, valued(compare.field(), condition));
            case Condition.In in -> of(in.field(), known, valued(in.field(), condition));
            case Condition.Prefix prefix -> of(prefix.field(), known, valued(prefix.field(), condition));
        };
    }

    private static Function<List<FieldStats>, Truth> of(
            Field<?> field, List<SummaryPart.Named> known, Function<FieldStats, Truth> test) {
        int at = known.indexOf(SummaryPart.Named.of(field));
        return at < 0 ? stats -> Truth.UNKNOWN : stats -> test.apply(stats.get(at));
    }

    private static Truth isNull(FieldStats stats) {
        return stats.nulls() == 0 ? Truth.FALSE : stats.hasValues() ? Truth.UNKNOWN : Truth.TRUE;
    }

    /** A condition on one field that is true where the field's value is in some ranges, and not where it is null. */
    private static Function<FieldStats, Truth> valued(Field<?> field, Condition condition) {
        List<KeyRange> all = Extent.of(field, condition).ranges();
        return stats -> {
            List<KeyRange> ranges = near(all, stats);
            if (ranges.stream().noneMatch(range -> overlaps(stats, range))) {
                return Truth.FALSE;
            }
            boolean each = stats.nulls() == 0
                    && ranges.stream()
                            .anyMatch(range -> range.contains(Objects.requireNonNull(stats.min()))
                                    && range.contains(Objects.requireNonNull(stats.max())));
            return each ? Truth.TRUE : Truth.UNKNOWN;
        };
    }

    /** Those of some ranges, in their order, that are not wholly below the values of a leaf, nor above. */
    private static List<KeyRange> near(List<KeyRange> ranges, FieldStats stats) {
        Bytes min = stats.min();
        Bytes max = stats.max();
        return min == null || max == null
                ? List.of()
                : ranges.subList(
                        first(ranges, range -> range.to() == null || range.to().compareTo(min) > 0),
                        first(ranges, range -> range.from().compareTo(max) > 0));
    }

    /** The number of the first range from which on something holds. */
    private static int first(List<KeyRange> ranges, Predicate<KeyRange> holds) {
        int low = 0;
        int high = ranges.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (holds.test(ranges.get(middle))) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /** The opposite, which is not true either where the field is null. */
    private static Truth without(FieldStats stats, Truth holds) {
        return !stats.hasValues()
                ? Truth.FALSE
                : stats.nulls() > 0 && holds == Truth.FALSE ? Truth.UNKNOWN : holds.opposite();
    }

    private static boolean overlaps(FieldStats stats, KeyRange range) {
        if (!stats.hasValues()) {
            return false;
        }
        Bytes to = range.to();
        boolean within = range.from().compareTo(Objects.requireNonNull(stats.max())) <= 0
                && (to == null || to.compareTo(Objects.requireNonNull(stats.min())) > 0);
        return within
                && (stats.bloom().isEmpty() || !Extent.isPoint(range) || Bloom.mayHave(stats.bloom(), range.from()));
    }
}
