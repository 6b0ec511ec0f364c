package io.penstock.cli;

import io.penstock.Penstock;
import io.penstock.cli.StoreOptions.Use;
import io.penstock.cli.program.UsageException;
import io.penstock.cli.transfer.ResultFormat;
import io.penstock.core.StoreException;
import io.penstock.sql.PenstockSql;
import java.io.PrintStream;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code penstock sql}. */
@Command(
        name = "sql",
        description = {
            "Answers a query in SQL. Each collection is a table with the columns key (or key1, key2 ...) and payload.",
            "Quote names that are words of SQL: select \"key\" from \"order\""
        },
        sortOptions = false)
final class SqlCommand extends StoreCommand {
    @Option(names = "--csv", description = "prints CSV")
    private boolean csv;

    @Mixin
    private final FieldsOption fields = new FieldsOption();

    @Option(names = "--timeout", paramLabel = "S", description = "the longest time in seconds; default: 0, no limit")
    private int timeoutSeconds;

    @Parameters(paramLabel = "SQL", description = "a query, or explain plan for one")
    private String sql = "";

    SqlCommand(PrintStream out) {
        super(out, Use.READ);
    }

    @Override
    boolean run(Penstock opened) {
        if (isJson() && csv) {
            throw new UsageException("give one of --json and --csv");
        }
        ResultFormat format = isJson() ? ResultFormat.JSON : csv ? ResultFormat.CSV : ResultFormat.TABLE;
        PenstockSql tables = PenstockSql.ofStored(opened, fields.declared().toArray(new String[0]));
        try (Connection connection = tables.connect();
                Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(timeoutSeconds);
            try (ResultSet rows = statement.executeQuery(sql)) {
                format.write(out, rows);
            }
            return true;
        } catch (SQLException failure) {
            if (failure.getCause() instanceof StoreException known) {
                throw known;
            }
            throw new UsageException(failure.getMessage() + " [" + failure.getSQLState() + "]");
        }
    }
}
