package io.penstock.query;

import io.penstock.Entry;
import io.penstock.Keys;
import io.penstock.core.Bytes;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Random conditions, and a plain judge of them that shares nothing with the filter: null stands for unknown. */
final class Oracle {
    private final Random random;
    private final List<Field<?>> fields;

    Oracle(Random random, List<Field<?>> fields) {
        this.random = random;
        this.fields = fields;
    }

    Condition condition(int depth) {
        int kind = random.nextInt(depth == 0 ? 7 : 12);
        Field<?> field = fields.get(random.nextInt(fields.size()));
        return switch (kind) {
            case 0, 1, 2, 3 -> Condition.compare(field, operator(), Sample.literal(field, random));
            case 4 -> {
                List<Object> values = new ArrayList<>();
                for (int n = random.nextInt(4); n > 0; n--) {
                    values.add(Sample.literal(field, random));
                }
                yield Condition.in(field, values);
            }
            case 5 -> field.isNull();
            case 6 -> prefix();
            case 7, 8, 9 -> Condition.and(condition(depth - 1), condition(depth - 1));
            case 10 -> Condition.or(condition(depth - 1), condition(depth - 1));
            default -> Condition.not(condition(depth - 1));
        };
    }

    private Condition prefix() {
        return switch (random.nextInt(3)) {
            case 0 -> Condition.startsWith(Sample.GROUP, Sample.text(random));
            case 1 -> Condition.startsWith(Sample.FIELDS.get("name"), Sample.text(random));
            default ->
                Condition.startsWith(Sample.FIELDS.get("blob"), Bytes.wrap(new byte[] {(byte) random.nextInt(3)}));
        };
    }

    private Condition.Operator operator() {
        return Condition.Operator.values()[random.nextInt(6)];
    }

    static @Nullable Boolean judge(Condition condition, Entry<Keys.Pair<String, Long>, Sample> entry) {
        Function<Field<?>, @Nullable Object> of = field -> value(field, entry);
        return switch (condition) {
            case Condition.Compare compare -> {
                Object found = of.apply(compare.field());
                yield found == null ? null : holds(compare.operator(), order(found, compare.value()));
            }
            case Condition.In in -> {
                Object found = of.apply(in.field());
                yield in.values().isEmpty()
                        ? Boolean.FALSE
                        : found == null
                                ? null
                                : (Boolean) in.values().stream().anyMatch(value -> order(found, value) == 0);
            }
            case Condition.Prefix prefix -> {
                Object found = of.apply(prefix.field());
                yield found == null ? null : (Boolean) begins(found, prefix.prefix());
            }
            case Condition.IsNull asked -> of.apply(asked.field()) == null;
            case Condition.Not not -> {
                Boolean part = judge(not.part(), entry);
                yield part == null ? null : (Boolean) !part;
            }
            case Condition.And and -> junction(and.parts(), entry, false);
            case Condition.Or or -> junction(or.parts(), entry, true);
        };
    }

    private static @Nullable Boolean junction(
            List<Condition> parts, Entry<Keys.Pair<String, Long>, Sample> entry, boolean decisive) {
        boolean unknown = false;
        for (Condition part : parts) {
            Boolean one = judge(part, entry);
            if (one == null) {
                unknown = true;
            } else if (one == decisive) {
                return decisive;
            }
        }
        return unknown ? null : (Boolean) !decisive;
    }

    static @Nullable Object value(Field<?> field, Entry<Keys.Pair<String, Long>, Sample> entry) {
        Sample value = entry.value();
        return switch (field.name()) {
            case "grp" -> entry.key().first();
            case "number" -> entry.key().second();
            case "flag" -> value.flag();
            case "small" -> value.small();
            case "big" -> value.big();
            case "ratio" -> value.ratio();
            case "price" -> value.price();
            case "name" -> value.name();
            case "blob" -> value.blob();
            case "day" -> value.day();
            case "at" -> value.at();
            default -> throw new IllegalStateException(field.name());
        };
    }

    private static boolean holds(Condition.Operator operator, int order) {
        return switch (operator) {
            case EQ -> order == 0;
            case NE -> order != 0;
            case LT -> order < 0;
            case LE -> order <= 0;
            case GT -> order > 0;
            case GE -> order >= 0;
        };
    }

    /** The order of values: nulls are the greatest. */
    static Comparator<@Nullable Object> order() {
        return Comparator.nullsLast(Oracle::order);
    }

    private static int order(Object one, Object other) {
        return switch (one) {
            case Boolean b -> b.compareTo((Boolean) other);
            case Integer i -> i.compareTo((Integer) other);
            case Long l -> l.compareTo((Long) other);
            case Double d -> doubles(d, (Double) other);
            case BigDecimal d -> d.compareTo((BigDecimal) other);
            case String s ->
                Arrays.compare(
                        s.codePoints().toArray(), ((String) other).codePoints().toArray());
            case Bytes b -> Arrays.compareUnsigned(b.toArray(), ((Bytes) other).toArray());
            case LocalDate d -> d.compareTo((LocalDate) other);
            case Instant i -> i.compareTo((Instant) other);
            default -> throw new IllegalStateException();
        };
    }

    private static int doubles(double one, double other) {
        if (Double.isNaN(one) || Double.isNaN(other)) {
            return Boolean.compare(Double.isNaN(one), Double.isNaN(other));
        }
        return one < other ? -1 : one > other ? 1 : 0;
    }

    private static boolean begins(Object found, Object prefix) {
        if (found instanceof Bytes bytes) {
            return bytes.startsWith((Bytes) prefix);
        }
        int[] text = ((String) found).codePoints().toArray();
        int[] begin = ((String) prefix).codePoints().toArray();
        return text.length >= begin.length && Arrays.equals(text, 0, begin.length, begin, 0, begin.length);
    }
}
