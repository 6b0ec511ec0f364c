package io.penstock.spark;

import io.penstock.RecordCollection;
import io.penstock.Rows;
import io.penstock.Transaction;
import io.penstock.query.Field;
import io.penstock.query.FieldType;
import io.penstock.query.Fields;
import io.penstock.query.Row;
import io.penstock.spark.CollectionScan.KeyPart;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import java.util.Objects;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.jspecify.annotations.Nullable;

/** The rows of a part, or of the groups that they are in. For one thread. */
final class PartReader implements PartitionReader<InternalRow> {
    private static final InternalRow NO_COLUMNS = new GenericInternalRow(0);

    private final Transaction state;
    private final Rows rows;
    private final TaskWork work;
    private final FieldType.Kind[] kinds;
    private final @Nullable Aggregates aggregates;
    private final Fields fields;
    private Iterator<InternalRow> groups = Collections.emptyIterator();
    private boolean aggregated;
    private @Nullable InternalRow at;

    PartReader(TaskWork work, KeyPart part) {
        RecordCollection<?, ?> collection = OpenStores.collection(work.options());
        this.work = work;
        this.fields = collection.fields();
        this.aggregates = work.aggregates();
        this.kinds = work.selected(fields).stream()
                .map(Field::type)
                .map(FieldType::kind)
                .toArray(FieldType.Kind[]::new);
        this.state = OpenStores.store(work.options()).at(part.position(), Duration.ZERO);
        try {
            this.rows = state.query(collection, work.query(fields, part));
            if (!work.isLimited(part)) {
                var unused = rows.toEnd();
            }
        } catch (RuntimeException failure) {
            state.close();
            throw failure;
        }
    }

    @Override
    public boolean next() {
        at = aggregates == null ? (rows.hasNext() ? row(rows.next()) : null) : group(aggregates);
        return at != null;
    }

    private InternalRow row(Row row) {
        if (work.counted()) {
            return NO_COLUMNS;
        }
        @Nullable Object[] values = new Object[kinds.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = SparkTypes.toSpark(kinds[i], row.at(i));
        }
        return new GenericInternalRow(values);
    }

    private @Nullable InternalRow group(Aggregates of) {
        // Groups may come again: Spark puts those of all tasks together, and so those of one.
        if (!groups.hasNext() && (rows.hasNext() || !aggregated)) {
            groups = of.next(rows, fields);
            aggregated = true;
        }
        return groups.hasNext() ? groups.next() : null;
    }

    @Override
    public InternalRow get() {
        return Objects.requireNonNull(at);
    }

    @Override
    public void close() {
        rows.close();
        state.close();
    }
}
