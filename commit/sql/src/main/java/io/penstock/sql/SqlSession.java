package io.penstock.sql;

import static java.util.Objects.requireNonNull;

import io.penstock.ConsistencyLevel;
import io.penstock.Penstock;
import io.penstock.Session;
import io.penstock.Transaction;
import io.penstock.core.task.Timekeeper;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.calcite.jdbc.CalciteConnection;
import org.jspecify.annotations.Nullable;

/**
 * The state of a connection: which state of the store its statements read. Each reads one of its own, unless a
 * transaction was given or auto-commit is off. For one thread at a time.
 */
final class SqlSession {
    private final Session session;
    private final Timekeeper clock;
    private final @Nullable Transaction given;
    private final Runnable atEnd;
    private final Set<Cut> running = ConcurrentHashMap.newKeySet();
    private boolean autoCommit = true;
    private long rowsMax;
    private @Nullable ConsistencyLevel level;
    private @Nullable Transaction begun;

    /**
     * @param given the transaction that all statements are a part of; null: none
     * @param atEnd runs when the connection is closed
     */
    SqlSession(Penstock store, @Nullable Transaction given, Runnable atEnd) {
        this.atEnd = atEnd;
        this.session = store.session();
        this.clock = store.tasks();
        this.given = given;
    }

    static SqlSession of(CalciteConnection connection) {
        return (SqlSession) requireNonNull(connection.getProperties().get(SqlSession.class));
    }

    /** Sets the most rows that the statement gives which is run next; 0 for all. */
    void setRowsMax(long value) {
        rowsMax = value;
    }

    long rowsMax() {
        return rowsMax;
    }

    /** The state for one run of a statement. */
    Cut begin(AtomicBoolean canceled, long timeoutMillis) {
        boolean own = given == null && autoCommit;
        Cut cut = new Cut(transaction(own), own, canceled, clock, timeoutMillis);
        running.add(cut);
        return cut;
    }

    private Transaction transaction(boolean own) {
        if (given != null) {
            return given;
        }
        Transaction current = own || begun == null ? beginRead() : begun;
        begun = own ? null : current;
        return current;
    }

    private Transaction beginRead() {
        return level == null ? session.beginRead() : session.beginRead(level);
    }

    void end(Cut cut) {
        running.remove(cut);
        cut.close();
    }

    boolean isAutoCommit() {
        return given == null && autoCommit;
    }

    void setAutoCommit(boolean value) throws SQLException {
        requireOwn("setAutoCommit");
        if (value && !autoCommit) {
            end(true);
        }
        autoCommit = value;
    }

    /** Ends the transaction that statements are a part of, if there is one. */
    void end(boolean commits) throws SQLException {
        requireOwn(commits ? "commit" : "rollback");
        Transaction current = begun;
        begun = null;
        Set.copyOf(running).forEach(this::end);
        if (current != null) {
            try (current) {
                if (commits) {
                    var unused = current.commit();
                }
            }
        }
    }

    private void requireOwn(String call) throws SQLException {
        if (given != null) {
            throw new SQLFeatureNotSupportedException(
                    "the connection is a part of a transaction, which ends it; call=" + call, "25001");
        }
    }

    int isolation() {
        ConsistencyLevel used = given == null ? level : given.level();
        if (used == null) {
            return Connection.TRANSACTION_NONE;
        }
        return switch (used) {
            case SERIALIZABLE -> Connection.TRANSACTION_SERIALIZABLE;
            case SNAPSHOT -> Connection.TRANSACTION_REPEATABLE_READ;
            default -> Connection.TRANSACTION_READ_COMMITTED;
        };
    }

    void setIsolation(int value) throws SQLException {
        requireOwn("setTransactionIsolation");
        if (begun != null) {
            throw new SQLException("the transaction has begun; choose its isolation before", "25001");
        }
        level = switch (value) {
            case Connection.TRANSACTION_SERIALIZABLE -> ConsistencyLevel.SERIALIZABLE;
            case Connection.TRANSACTION_REPEATABLE_READ -> ConsistencyLevel.SNAPSHOT;
            case Connection.TRANSACTION_NONE -> null;
            default ->
                throw new SQLFeatureNotSupportedException(
                        "there is no such isolation here; use serializable, repeatable read, which is SNAPSHOT, or"
                                + " none, which is the store's level",
                        "0A000");
        };
    }

    void close() throws SQLException {
        Set.copyOf(running).forEach(this::end);
        if (given == null) {
            end(false);
        }
        atEnd.run();
    }
}
