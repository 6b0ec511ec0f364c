package io.penstock.sql;

import io.penstock.core.ErrorCode;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.util.Properties;
import org.apache.calcite.avatica.DriverVersion;
import org.apache.calcite.jdbc.CalciteFactory;
import org.apache.calcite.jdbc.CalcitePrepare;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.jdbc.Driver;
import org.jspecify.annotations.Nullable;

/**
 * The JDBC driver of {@code jdbc:penstock:NAME}, where a program has registered NAME by {@link PenstockSql#register}.
 * {@link DriverManager} finds it by itself. Safe for use by many threads.
 */
public final class PenstockDriver extends Driver {
    /** The beginning of the URLs of this driver. */
    public static final String PREFIX = "jdbc:penstock:";

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
        PenstockSql registered = PenstockSql.registered(name);
        if (registered == null) {
            throw new SQLNonTransientConnectionException(
                    ErrorCode.NOT_FOUND + ": no store of this process is registered by this name; call"
                            + " PenstockSql.register name=" + name,
                    "08001");
        }
        return registered.connect();
    }
}
