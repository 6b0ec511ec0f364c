package io.penstock.sql;

import io.penstock.core.ErrorCode;
import io.penstock.core.local.LocalCloud;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.apache.calcite.avatica.DriverVersion;
import org.apache.calcite.jdbc.CalciteFactory;
import org.apache.calcite.jdbc.CalcitePrepare;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.jdbc.Driver;
import org.jspecify.annotations.Nullable;

/**
 * The JDBC driver of {@code jdbc:penstock:NAME}, where a program has registered NAME by {@link PenstockSql#register},
 * and of {@code jdbc:penstock:dir=shop}, a local store that is opened to be read: {@link PenstockSql#ofStored} says
 * what its columns are. {@code ;fields=books(title string)} declares more, once for each table, as does the property
 * {@code fields}, with a semicolon between tables. {@link DriverManager} finds it by itself. Safe for use by many
 * threads.
 */
public final class PenstockDriver extends Driver {
    /** The beginning of the URLs of this driver. */
    public static final String PREFIX = "jdbc:penstock:";

    private static final String DIRECTORY = "dir=";
    private static final String FIELDS = ";fields=";

    static {
        try {
            DriverManager.registerDriver(new PenstockDriver());
        } catch (SQLException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Makes the driver. */
    public PenstockDriver() {
        super(StorePrepare::new);
    }

    /** The driver of connections whose plans are kept together. */
    PenstockDriver(CalcitePrepare plans) {
        super(() -> plans);
    }

    /** A connection to the tables of a schema. */
    Connection open(CalciteSchema root, Properties info) {
        return ((CalciteFactory) factory).newConnection(this, factory, PREFIX, info, root, new StoreTypes());
    }

    @Override
    protected String getConnectStringPrefix() {
        return PREFIX;
    }

    @Override
    protected DriverVersion createDriverVersion() {
        return new DriverVersion("Penstock SQL", "0.1", "Penstock", "0.1", true, 0, 1, 0, 1);
    }

    @Override
    public @Nullable Connection connect(String url, @Nullable Properties info) throws SQLException {
        if (!acceptsURL(url)) {
            return null;
        }
        String name = url.substring(PREFIX.length());
        if (name.startsWith(DIRECTORY)) {
            return local(name.substring(DIRECTORY.length()), info == null ? new Properties() : info);
        }
        PenstockSql registered = PenstockSql.registered(name);
        if (registered == null) {
            throw new SQLNonTransientConnectionException(
                    ErrorCode.NOT_FOUND + ": no store of this process is registered by this name; call"
                            + " PenstockSql.register name=" + name,
                    "08001");
        }
        return registered.connect();
    }

    private static Connection local(String text, Properties info) throws SQLException {
        List<String> parts = new ArrayList<>(List.of(text.split(FIELDS, -1)));
        String directory = parts.removeFirst();
        String more = info.getProperty("fields");
        if (more != null) {
            parts.addAll(List.of(more.split(";", -1)));
        }
        try {
            return PenstockSql.local(LocalCloud.directory(directory), parts.toArray(new String[0]));
        } catch (RuntimeException failure) {
            throw SqlFailures.of(failure);
        }
    }
}
