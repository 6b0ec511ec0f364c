package io.penstock.commit.query;

import io.penstock.query.Condition;
import io.penstock.query.Field;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The fields of conditions. Pure. */
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
            case Condition.And and -> collectAll(and.parts(), found);
            case Condition.Or or -> collectAll(or.parts(), found);
            case Condition.Not not -> collect(not.part(), found);
        }
    }

    private static void collectAll(List<Condition> parts, Set<Field<?>> found) {
        parts.forEach(part -> collect(part, found));
    }
}
