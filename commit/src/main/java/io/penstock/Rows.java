package io.penstock;

import io.penstock.commit.query.Progress;
import io.penstock.query.QueryPlan;
import io.penstock.query.Row;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The rows of a query, read as they are asked for, in the order of keys or of the index that was used. For one thread;
 * close it when done.
 */
public final class Rows implements Scan<Row> {
    private final Scan<Row> rows;
    private final Progress progress;

    Rows(Scan<Row> rows, Progress progress) {
        this.rows = rows;
        this.progress = progress;
    }

    /**
     * The plan that is followed, with what it has cost so far: leaves that are certainly skipped, the time and the
     * requests for pages of this client since the query began, those of other threads among them.
     */
    public QueryPlan plan() {
        return progress.plan();
    }

    @Override
    public boolean hasNext() {
        return rows.hasNext();
    }

    @Override
    public Row next() {
        return rows.next();
    }

    @Override
    public void forEachRemaining(Consumer<? super Row> action) {
        rows.forEachRemaining(action);
    }

    @Override
    public Rows toEnd() {
        var unused = rows.toEnd();
        return this;
    }

    @Override
    public Optional<String> token() {
        return rows.token();
    }

    @Override
    public Page<Row> page() {
        return rows.page();
    }

    @Override
    public void close() {
        rows.close();
    }
}
