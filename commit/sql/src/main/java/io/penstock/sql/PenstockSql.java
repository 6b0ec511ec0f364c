package io.penstock.sql;

import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Settings;
import io.penstock.StoredFields;
import io.penstock.Transaction;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.calcite.avatica.util.Casing;
import org.apache.calcite.avatica.util.Quoting;
import org.apache.calcite.config.CalciteConnectionProperty;
import org.apache.calcite.jdbc.CalciteConnection;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.schema.SchemaPlus;
import org.apache.calcite.schema.impl.AbstractSchema;
import org.apache.calcite.tools.RelBuilder;
import org.apache.calcite.tools.RelRunner;
import org.jspecify.annotations.Nullable;

/**
 * Read-only SQL over collections of a store: each that declares fields is a table, its fields are the columns. A
 * statement reads one state of the store, as its level promises it.
 *
 * <pre>{@code
 * PenstockSql sql = PenstockSql.of(store, books.declare(Fields.ofClass(Book.class)));
 * try (Connection connection = sql.connect();
 *         Statement statement = connection.createStatement();
 *         ResultSet rows = statement.executeQuery("select title from books where price < 10")) {
 *     while (rows.next()) {
 *         System.out.println(rows.getString(1));
 *     }
 * }
 * }</pre>
 *
 * <p>Connections share plans, which are kept by the text of statements. Immutable, and safe for use by many threads;
 * each connection is for one thread at a time.
 */
public final class PenstockSql {
    /** The schema of all tables. */
    static final String SCHEMA = "store";

    private static final Map<String, PenstockSql> REGISTERED = new ConcurrentHashMap<>();

    private final Penstock store;
    private final List<CollectionTable> tables;
    private final CalciteSchema root;
    private final StorePrepare plans;
    private final PenstockDriver driver;

    private PenstockSql(Penstock store, List<CollectionTable> tables) {
        this.store = store;
        this.tables = tables;
        this.root = CalciteSchema.createRootSchema(true);
        SchemaPlus schema = root.plus().add(SCHEMA, new AbstractSchema());
        tables.forEach(table -> schema.add(table.collection().name(), table));
        this.plans = new StorePrepare();
        this.driver = new PenstockDriver(plans);
    }

    /**
     * SQL over some collections of a store.
     *
     * @throws InvalidRequestException when a collection declares no fields, or two have one name
     */
    public static PenstockSql of(Penstock store, RecordCollection<?, ?>... collections) {
        List<CollectionTable> tables = new ArrayList<>();
        for (RecordCollection<?, ?> collection : collections) {
            if (tables.stream().anyMatch(table -> table.collection().name().equals(collection.name()))) {
                throw new InvalidRequestException(
                        ErrorCode.ALREADY_EXISTS,
                        "two tables have one name; give each collection once",
                        "collection",
                        collection.name());
            }
            tables.add(new CollectionTable(collection));
        }
        return new PenstockSql(store, List.copyOf(tables));
    }

    /**
     * SQL over all collections of a store, without the programs that wrote them. The columns are those of {@link
     * StoredFields#of}.
     *
     * @param declared tables with their columns, such as {@code books(title string, price decimal)}
     * @throws InvalidRequestException when a declaration has another form
     */
    public static PenstockSql ofStored(Penstock store, String... declared) {
        return of(
                store,
                store.collections().stream()
                        .map(store::rawCollection)
                        .map(records -> records.declare(StoredFields.of(records, List.of(declared))))
                        .toArray(RecordCollection<?, ?>[]::new));
    }

    /**
     * A connection of its own. With auto-commit, which is the default, each statement reads one state, at the store's
     * level or that of {@link Connection#setTransactionIsolation}. Without, statements read one state together,
     * until {@link Connection#commit} or {@link Connection#rollback}.
     */
    public Connection connect() {
        return connection(null, () -> {});
    }

    /**
     * A connection whose statements are reads of a transaction, and see its writes. The transaction is committed or
     * aborted by the program, not by the connection.
     */
    public Connection connect(Transaction transaction) {
        return connection(transaction, () -> {});
    }

    /**
     * A connection to all collections of a local store, which is opened for it, only to read, and closed with it.
     *
     * @param declared as for {@link #ofStored}
     */
    static Connection local(Path directory, String... declared) {
        if (!Files.isDirectory(directory)) {
            throw new InvalidRequestException(
                    ErrorCode.NOT_FOUND, "there is no such directory; check the URL", "dir", directory);
        }
        Penstock opened = Penstock.open(Settings.local(directory).readOnly(true));
        try {
            return ofStored(opened, declared).connection(null, opened::close);
        } catch (RuntimeException failure) {
            opened.close();
            throw failure;
        }
    }

    private Connection connection(@Nullable Transaction transaction, Runnable atEnd) {
        SqlSession session = new SqlSession(store, transaction, atEnd);
        Properties info = new Properties();
        info.put(SqlSession.class, session);
        set(info, CalciteConnectionProperty.QUOTING, Quoting.DOUBLE_QUOTE.name());
        set(info, CalciteConnectionProperty.UNQUOTED_CASING, Casing.UNCHANGED.name());
        set(info, CalciteConnectionProperty.QUOTED_CASING, Casing.UNCHANGED.name());
        set(info, CalciteConnectionProperty.CASE_SENSITIVE, "true");
        Connection inner = driver.open(root, info);
        try {
            inner.setSchema(SCHEMA);
            inner.setHoldability(ResultSet.CLOSE_CURSORS_AT_COMMIT);
        } catch (SQLException never) {
            throw new IllegalStateException(never);
        }
        return Handles.connection(inner, session);
    }

    private static void set(Properties info, CalciteConnectionProperty property, String value) {
        info.setProperty(property.camelName(), value);
    }

    /**
     * Makes {@code jdbc:penstock:NAME} a URL of this process, in place of what had the name before. {@link #unregister}
     * it before the store is closed.
     */
    public void register(String name) {
        if (!name.matches("[A-Za-z0-9_.-]+")) {
            throw new InvalidRequestException("the name of a store in a URL has letters, digits, . _ -", "name", name);
        }
        REGISTERED.put(name, this);
    }

    /** Removes the URL of a name, if it is registered. Connections that are open stay so. */
    public static void unregister(String name) {
        REGISTERED.remove(name);
    }

    static @Nullable PenstockSql registered(String name) {
        return REGISTERED.get(name);
    }

    /**
     * Prepares a query that is built in Java, without SQL:
     *
     * <pre>{@code
     * sql.prepare(connection, tables -> tables.scan("books")
     *         .filter(tables.lessThan(tables.field("price"), tables.literal(10)))
     *         .build());
     * }</pre>
     *
     * @param connection of this
     */
    public PreparedStatement prepare(Connection connection, Function<RelBuilder, RelNode> query) throws SQLException {
        CalciteConnection inner = connection.unwrap(CalciteConnection.class);
        RelBuilder tables = plans.builder(inner.createPrepareContext());
        try {
            return Handles.prepared(connection, inner.unwrap(RelRunner.class).prepareStatement(query.apply(tables)));
        } catch (SQLException | RuntimeException failure) {
            throw SqlFailures.of(failure);
        }
    }

    /**
     * Plans and runs a query of each table in the background, on a task of the store, so that the first query of the
     * program finds all classes loaded. Reads a row of each table.
     */
    public void warmUp() {
        var unused = store.tasks().start("sql-warm-up", this::warm);
    }

    private void warm() {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            for (CollectionTable table : tables) {
                String name = '"' + table.collection().name() + '"';
                String column = '"' + table.fields().getFirst().name() + '"';
                String one = "select * from " + name + " where " + column + " is not null fetch next 1 rows only";
                try (ResultSet rows = statement.executeQuery(one)) {
                    rows.next();
                }
            }
        } catch (SQLException failure) {
            // The first query of the program will tell.
        }
    }
}
