package io.penstock.commit.query;

import io.penstock.query.Condition;
import io.penstock.query.Condition.Operator;
import io.penstock.query.Field;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Facts that follow from the form of a condition alone. Pure. */
public final class Conditions {
    private Conditions() {}

    /** The fields that a condition asks for, each once. */
    public static Set<Field<?>> fields(Condition condition) {
        Set<Field<?>> found = new LinkedHashSet<>();
        collect(condition, found);
        return found;
    }

    private static void collect(Condition condition, Set<Field<?>> found) {
        switch (condition) {
            case Condition.Compare compare -> found.add(compare.field());
            case Condition.In in -> found.add(in.field());
            case Condition.Prefix prefix -> found.add(prefix.field());
            case Condition.IsNull asked -> found.add(asked.field());
            case Condition.And and -> and.parts().forEach(part -> collect(part, found));
            case Condition.Or or -> or.parts().forEach(part -> collect(part, found));
            case Condition.Not not -> collect(not.part(), found);
        }
    }

    /**
     * Returns a condition that is true for the same records, with negations of memberships, prefixes and questions for
     * null only.
     */
    static Condition normal(Condition condition) {
        return switch (condition) {
            case Condition.Compare compare -> compare;
            case Condition.In in -> in;
            case Condition.Prefix prefix -> prefix;
            case Condition.IsNull asked -> asked;
            case Condition.And and ->
                new Condition.And(and.parts().stream().map(Conditions::normal).toList());
            case Condition.Or or ->
                new Condition.Or(or.parts().stream().map(Conditions::normal).toList());
            case Condition.Not not -> negated(not.part());
        };
    }

    private static Condition negated(Condition condition) {
        return switch (condition) {
            case Condition.Compare compare ->
                new Condition.Compare(compare.field(), opposite(compare.operator()), compare.value());
            case Condition.And and -> new Condition.Or(allNegated(and.parts()));
            case Condition.Or or -> new Condition.And(allNegated(or.parts()));
            case Condition.Not not -> normal(not.part());
            case Condition.In in -> in.values().isEmpty() ? Condition.all() : new Condition.Not(in);
            case Condition.Prefix prefix -> new Condition.Not(prefix);
            case Condition.IsNull asked -> new Condition.Not(asked);
        };
    }

    private static List<Condition> allNegated(List<Condition> parts) {
        return parts.stream().map(Conditions::negated).toList();
    }

    private static Operator opposite(Operator operator) {
        return switch (operator) {
            case EQ -> Operator.NE;
            case NE -> Operator.EQ;
            case LT -> Operator.GE;
            case LE -> Operator.GT;
            case GT -> Operator.LE;
            case GE -> Operator.LT;
        };
    }
}
