package io.penstock.sql;

import io.penstock.Rows;
import io.penstock.query.Field;
import io.penstock.query.FieldType;
import io.penstock.query.Row;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.AbstractEnumerable;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Enumerator;
import org.apache.calcite.runtime.Bindable;
import org.jspecify.annotations.Nullable;

/** The run of a scan: what the code that Calcite makes of a plan calls. Safe for use by many threads. */
final class ScanRun implements Bindable<@Nullable Object> {
    private final CollectionScan scan;
    private final FieldType.Kind[] kinds;

    ScanRun(CollectionScan scan) {
        this.scan = scan;
        this.kinds =
                scan.fields().stream().map(Field::type).map(FieldType::kind).toArray(FieldType.Kind[]::new);
    }

    @Override
    public Enumerable<@Nullable Object> bind(DataContext context) {
        Cut cut = Cut.of(context);
        CollectionScan.Bound bound = CollectionScan.Bound.of(context);
        return new AbstractEnumerable<>() {
            @Override
            public Enumerator<@Nullable Object> enumerator() {
                return new Found(cut, rows(cut, bound), kinds);
            }
        };
    }

    /** The rows; all, if the first ones show that the store's order of text may not be that of SQL: beyond U+D7FF. */
    private Iterator<Row> rows(Cut cut, CollectionScan.Bound bound) {
        int text = scan.textOrder();
        Rows rows = cut.open(scan.rows().collection(), scan.query(bound));
        if (text < 0) {
            return rows;
        }
        List<Row> first = new ArrayList<>();
        rows.forEachRemaining(first::add);
        cut.close(rows);
        boolean agree =
                first.stream().noneMatch(row -> row.at(text) instanceof String value && Pushdown.isBeyond(value));
        return agree ? first.iterator() : cut.open(scan.rows().collection(), scan.whole(bound));
    }

    /** The rows that a query finds: arrays, or values where there is one column, as Calcite has them. */
    private static final class Found implements Enumerator<@Nullable Object> {
        private final Cut cut;
        private final Iterator<Row> rows;
        private final FieldType.Kind[] kinds;
        private @Nullable Object current;

        Found(Cut cut, Iterator<Row> rows, FieldType.Kind[] kinds) {
            this.cut = cut;
            this.rows = rows;
            this.kinds = kinds;
        }

        @Override
        public boolean moveNext() {
            cut.check();
            if (!rows.hasNext()) {
                return false;
            }
            Row row = rows.next();
            if (kinds.length == 1) {
                current = SqlTypes.toSql(kinds[0], row.at(0));
                return true;
            }
            @Nullable Object[] values = new @Nullable Object[kinds.length];
            for (int i = 0; i < kinds.length; i++) {
                values[i] = SqlTypes.toSql(kinds[i], row.at(i));
            }
            current = values;
            return true;
        }

        @Override
        public @Nullable Object current() {
            return current;
        }

        @Override
        public void reset() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {
            if (rows instanceof Rows open) {
                cut.close(open);
            }
        }
    }
}
