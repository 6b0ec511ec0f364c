package io.penstock.commit.query;

import io.penstock.core.Bytes;
import io.penstock.query.Condition;
import io.penstock.query.Field;
import io.penstock.query.FieldType;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;

/** A condition, made ready to be asked of many records. Pure. Immutable, safe for use by many threads. */
public final class Filter {
    /** The three values of logic. */
    enum Truth {
        FALSE,
        UNKNOWN,
        TRUE;

        Truth opposite() {
            return values()[TRUE.ordinal() - ordinal()];
        }

        static Truth of(boolean value) {
            return value ? TRUE : FALSE;
        }
    }

    private interface Test {
        Truth of(Subject<?, ?> subject);
    }

    private final Test test;

    public Filter(Condition condition) {
        this.test = compile(condition);
    }

    /** Whether the condition is true for a record. */
    public boolean matches(Subject<?, ?> subject) {
        return test.of(subject) == Truth.TRUE;
    }

    private static Test compile(Condition condition) {
        return switch (condition) {
            case Condition.Compare compare -> compare(compare.field(), compare.operator(), compare.value());
            case Condition.In in -> in(in.field(), in.values());
            case Condition.Prefix prefix -> prefix(prefix.field(), prefix.prefix());
            case Condition.IsNull asked -> subject -> Truth.of(subject.field(asked.field()) == null);
            case Condition.And and ->
                all(and.parts().stream().map(Filter::compile).toList());
            case Condition.Or or -> any(or.parts().stream().map(Filter::compile).toList());
            case Condition.Not not -> {
                Test part = compile(not.part());
                yield subject -> part.of(subject).opposite();
            }
        };
    }

    private static <T> Test compare(Field<T> field, Condition.Operator operator, Object with) {
        FieldType<T> type = field.type();
        T value = type.javaType().cast(with);
        IntPredicate holds = holds(operator);
        return subject -> {
            Object found = subject.field(field);
            return found == null
                    ? Truth.UNKNOWN
                    : Truth.of(holds.test(type.compare(type.javaType().cast(found), value)));
        };
    }

    /** Whether an operator holds, by the sign of a comparison. */
    private static IntPredicate holds(Condition.Operator operator) {
        return switch (operator) {
            case EQ -> sign -> sign == 0;
            case NE -> sign -> sign != 0;
            case LT -> sign -> sign < 0;
            case LE -> sign -> sign <= 0;
            case GT -> sign -> sign > 0;
            case GE -> sign -> sign >= 0;
        };
    }

    private static <T> Test in(Field<T> field, List<Object> values) {
        FieldType<T> type = field.type();
        Set<Bytes> wanted = new HashSet<>();
        values.forEach(value -> wanted.add(type.encode(type.javaType().cast(value))));
        if (wanted.isEmpty()) {
            return subject -> Truth.FALSE;
        }
        return subject -> {
            Object found = subject.field(field);
            return found == null
                    ? Truth.UNKNOWN
                    : Truth.of(wanted.contains(type.encode(type.javaType().cast(found))));
        };
    }

    private static <T> Test prefix(Field<T> field, Object with) {
        FieldType<T> type = field.type();
        Bytes prefix = type.encode(type.javaType().cast(with));
        return subject -> {
            Object found = subject.field(field);
            return found == null
                    ? Truth.UNKNOWN
                    : Truth.of(type.encode(type.javaType().cast(found)).startsWith(prefix));
        };
    }

    private static Test all(List<Test> parts) {
        return subject -> {
            Truth all = Truth.TRUE;
            for (Test part : parts) {
                Truth one = part.of(subject);
                all = one.compareTo(all) < 0 ? one : all;
                if (all == Truth.FALSE) {
                    return all;
                }
            }
            return all;
        };
    }

    private static Test any(List<Test> parts) {
        return subject -> {
            Truth any = Truth.FALSE;
            for (Test part : parts) {
                Truth one = part.of(subject);
                any = one.compareTo(any) > 0 ? one : any;
                if (any == Truth.TRUE) {
                    return any;
                }
            }
            return any;
        };
    }
}
