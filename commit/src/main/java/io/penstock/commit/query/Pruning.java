package io.penstock.commit.query;

import io.penstock.core.Bytes;
import io.penstock.core.record.KeyRange;
import io.penstock.query.Condition;
import io.penstock.query.Field;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/** The decision which leaves can have no record that fulfils a condition. Pure. */
final class Pruning {
    private final Predicate<List<FieldStats>> possible;
    private final int fields;

    /**
     * @param condition in the form of {@link Conditions#normal}
     * @param known the fields of the summaries
     */
    Pruning(Condition condition, List<SummaryPart.Named> known) {
        this.possible = compile(condition, known);
        this.fields = known.size();
    }

    /** Whether a leaf may have a record that fulfils the condition. */
    boolean isPossible(LeafSummary leaf) {
        return leaf.records() > 0 && possible.test(leaf.fields(fields));
    }

    private static Predicate<List<FieldStats>> compile(Condition condition, List<SummaryPart.Named> known) {
        return switch (condition) {
            case Condition.And and -> {
                var parts =
                        and.parts().stream().map(part -> compile(part, known)).toList();
                yield stats -> parts.stream().allMatch(part -> part.test(stats));
            }
            case Condition.Or or -> {
                var parts =
                        or.parts().stream().map(part -> compile(part, known)).toList();
                yield stats -> parts.stream().anyMatch(part -> part.test(stats));
            }
            case Condition.IsNull asked -> of(asked.field(), known, stats -> stats.nulls() > 0);
            case Condition.Not not ->
                ofField(Conditions.fields(not.part()).iterator().next(), condition, known);
            case Condition.Compare compare -> ofField(compare.field(), condition, known);
            case Condition.In in -> ofField(in.field(), condition, known);
            case Condition.Prefix prefix -> ofField(prefix.field(), condition, known);
        };
    }

    /** A condition on one field that is not true where the field is null. */
    private static Predicate<List<FieldStats>> ofField(
            Field<?> field, Condition condition, List<SummaryPart.Named> known) {
        List<KeyRange> ranges = Extent.of(field, condition).ranges();
        return of(field, known, stats -> ranges.stream().anyMatch(range -> overlaps(stats, range)));
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

    private static Predicate<List<FieldStats>> of(
            Field<?> field, List<SummaryPart.Named> known, Predicate<FieldStats> test) {
        int at = known.indexOf(SummaryPart.Named.of(field));
        return at < 0 ? stats -> true : stats -> test.test(stats.get(at));
    }
}
