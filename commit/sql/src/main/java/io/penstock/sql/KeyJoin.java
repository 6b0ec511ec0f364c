package io.penstock.sql;

import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.AbstractEnumerable;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Enumerator;
import org.apache.calcite.linq4j.Linq4j;
import org.jspecify.annotations.Nullable;

/**
 * A join of which one side is read first, if it has few rows, so that of the other only those are read that have its
 * keys. Immutable.
 *
 * @param number of the join in its plan
 * @param scans of both sides
 * @param told the sides whose keys are told to scans of the other
 */
record KeyJoin(int number, List<List<CollectionScan>> scans, Set<Side> told) {
    /** The most rows that are read first: of more, too many keys are looked for. */
    private static final int ROWS_MAX = 1 << 16;

    /** A side of a join. */
    enum Side {
        LEFT,
        RIGHT
    }

    /**
     * A column by which rows of a side are equal to those of the other.
     *
     * @param join its number
     */
    record Column(int join, Side side, int column) {
        @Override
        public String toString() {
            return "$" + column + " of " + side + " of join " + join;
        }
    }

    /** The side that is read first: that with less to read, if both can be told keys. */
    private Side first(CollectionScan.Bound bound) {
        Side only = told.iterator().next();
        return told.size() == 1 ? only : weight(Side.LEFT, bound) <= weight(Side.RIGHT, bound) ? Side.LEFT : Side.RIGHT;
    }

    private double weight(Side side, CollectionScan.Bound bound) {
        return scans.get(side.ordinal()).stream()
                .mapToDouble(scan -> scan.weight(bound))
                .sum();
    }

    /** The code above a side of a join. */
    record Reading(KeyJoin join, Side side) implements LastPass.Code {
        @Override
        public Enumerable<Object> apply(DataContext context, Enumerable<Object> rows) {
            Run run = Cut.of(context).join(join.number);
            run.sides.put(side, rows);
            return new AbstractEnumerable<>() {
                @Override
                public Enumerator<Object> enumerator() {
                    run.begin(join, CollectionScan.Bound.of(context));
                    return run.rows(side).enumerator();
                }
            };
        }

        @Override
        public String toString() {
            boolean first = side == join.first(CollectionScan.Bound.NONE);
            return side + " of join " + join.number + (first ? ", read first" : "");
        }
    }

    /** The rows of both sides in one run of a statement. For one thread. */
    static final class Run {
        private final Map<Side, Enumerable<Object>> sides = new EnumMap<>(Side.class);
        private boolean begun;
        private @Nullable Side read;

        private void begin(KeyJoin join, CollectionScan.Bound bound) {
            if (begun) {
                return;
            }
            begun = true;
            Side first = join.first(bound);
            List<Object> rows =
                    sides.containsKey(first) ? rows(first).take(ROWS_MAX).toList() : List.of();
            if (sides.containsKey(first) && rows.size() < ROWS_MAX) {
                sides.put(first, Linq4j.asEnumerable(rows));
                read = first;
            }
        }

        private Enumerable<Object> rows(Side side) {
            return Objects.requireNonNull(sides.get(side));
        }

        /** The keys of a column, without null; null if they are not known. */
        @Nullable
        Set<Object> keys(Column column) {
            if (column.side != read) {
                return null;
            }
            Set<Object> keys = new HashSet<>();
            for (Object row : rows(column.side)) {
                keys.add(row instanceof Object[] values ? values[column.column] : row);
            }
            keys.remove(null);
            return keys;
        }
    }
}
