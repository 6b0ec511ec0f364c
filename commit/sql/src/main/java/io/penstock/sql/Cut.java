package io.penstock.sql;

import io.penstock.RecordCollection;
import io.penstock.Rows;
import io.penstock.Transaction;
import io.penstock.core.task.Timekeeper;
import io.penstock.query.Query;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TimeZone;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.calcite.DataContext;
import org.apache.calcite.adapter.java.JavaTypeFactory;
import org.apache.calcite.linq4j.QueryProvider;
import org.apache.calcite.schema.SchemaPlus;
import org.jspecify.annotations.Nullable;

/** The state that one run of a statement reads, and the limits of the run. For one thread. */
final class Cut implements AutoCloseable {
    private static final String NAME = "penstockCut";

    /** The number of checks between two looks at the clock. */
    private static final int CLOCK_EVERY = 256;

    private final Transaction transaction;
    private final boolean own;
    private final AtomicBoolean canceled;
    private final Timekeeper clock;
    private final long deadlineNanos;
    private final boolean timed;
    private final Set<Rows> opened = new HashSet<>();
    private final Map<Integer, KeyJoin.Run> joins = new HashMap<>();
    private int checks;
    private boolean ended;

    /**
     * @param own whether the transaction ends with this
     * @param canceled becomes true when the statement is canceled
     * @param timeoutMillis the longest that the run may take; 0 for any time
     */
    Cut(Transaction transaction, boolean own, AtomicBoolean canceled, Timekeeper clock, long timeoutMillis) {
        this.transaction = transaction;
        this.own = own;
        this.canceled = canceled;
        this.clock = clock;
        this.timed = timeoutMillis > 0;
        this.deadlineNanos = timed ? clock.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis) : 0;
    }

    /** The cut that a run reads. */
    static Cut of(DataContext context) {
        if (context.get(NAME) instanceof Cut cut) {
            return cut;
        }
        throw new IllegalStateException("a plan of this store runs through its statements only");
    }

    /** A context that gives this cut, and the values of parameters, to the code of a plan. */
    DataContext in(DataContext context, Map<String, @Nullable Object> bound) {
        Map<String, @Nullable Object> values = new HashMap<>(bound);
        values.put(NAME, this);
        // Instants are in UTC here, and so is the time.
        long now = clock.nowMillis();
        values.put(DataContext.Variable.CURRENT_TIMESTAMP.camelName, now);
        values.put(DataContext.Variable.LOCAL_TIMESTAMP.camelName, now);
        values.put(DataContext.Variable.UTC_TIMESTAMP.camelName, now);
        values.put(DataContext.Variable.TIME_ZONE.camelName, TimeZone.getTimeZone("UTC"));
        return new Within(context, values);
    }

    /** The run of a join, by its number. */
    KeyJoin.Run join(int number) {
        return joins.computeIfAbsent(number, unused -> new KeyJoin.Run());
    }

    /** The rows of a query of this state. */
    Rows open(RecordCollection<?, ?> collection, Query query) {
        check();
        Rows rows = transaction.query(collection, query);
        opened.add(rows);
        return rows;
    }

    /** Ends reading rows. */
    void close(Rows rows) {
        opened.remove(rows);
        rows.close();
    }

    /** Fails when the statement was canceled or has taken too long, and when this has ended. */
    void check() {
        if (ended) {
            throw SqlFailures.unchecked(
                    new SQLException("the result has ended, with its transaction or by a failure", "24000"));
        }
        if (canceled.get()) {
            throw SqlFailures.unchecked(new SQLException("the statement was canceled", "57014"));
        }
        if (timed && checks++ % CLOCK_EVERY == 0 && clock.nanoTime() - deadlineNanos > 0) {
            throw SqlFailures.unchecked(
                    new SQLTimeoutException("the statement has taken longer than its timeout", "57014"));
        }
    }

    /** Whether the state was chosen for this run alone, so that the run may begin anew with another one. */
    boolean isOwn() {
        return own;
    }

    @Override
    public void close() {
        ended = true;
        opened.forEach(Rows::close);
        opened.clear();
        if (own) {
            transaction.close();
        }
    }

    /**
     * @param outer the context of the statement
     * @param values that count before those of the outer one
     */
    private record Within(DataContext outer, Map<String, @Nullable Object> values) implements DataContext {
        @Override
        public @Nullable SchemaPlus getRootSchema() {
            return outer.getRootSchema();
        }

        @Override
        public JavaTypeFactory getTypeFactory() {
            return outer.getTypeFactory();
        }

        @Override
        public QueryProvider getQueryProvider() {
            return outer.getQueryProvider();
        }

        @Override
        public @Nullable Object get(String name) {
            return values.containsKey(name) ? values.get(name) : outer.get(name);
        }
    }
}
