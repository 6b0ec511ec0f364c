package io.penstock.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Settings;
import io.penstock.Transaction;
import io.penstock.core.Bytes;
import io.penstock.core.local.LocalCloud;
import io.penstock.core.object.Listing;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectStores;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.task.ThreadTasks;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random queries over random data give what H2 gives, beside writers, with summaries that are old or damaged. Each
 * failure tells its seed: -Dseed=N.
 */
class SqlDifferentialTest {
    private static final int QUERIES_A_STORE = 50;

    @TempDir
    private Path directory;

    @Test
    void answersAsH2() throws Exception {
        run(Integer.getInteger("seeds", 6));
    }

    @Test
    @Tag("long")
    void answersTenThousandQueriesAsH2() throws Exception {
        run(10_000 / QUERIES_A_STORE);
    }

    private void run(int stores) throws Exception {
        Long one = Long.getLong("seed");
        long first = one == null ? 1 : one;
        for (long seed = first; seed < first + (one == null ? stores : 1); seed++) {
            run(seed);
        }
    }

    private void run(long seed) throws Exception {
        Random random = new Random(seed);
        ThreadTasks tasks = new ThreadTasks();
        try (LocalCloud cloud = LocalCloud.open(Files.createTempDirectory(directory, "store"), tasks);
                Penstock store =
                        Penstock.open(Settings.on(cloud.objects(), tasks).pageBytes(4096));
                Connection h2 = DriverManager.getConnection("jdbc:h2:mem:;DATABASE_TO_UPPER=FALSE")) {
            RandomTables tables = new RandomTables(random, store, h2);
            tables.change(80).run();
            PenstockSql sql = PenstockSql.of(store, tables.collections());
            for (int number = 0; number < QUERIES_A_STORE; number++) {
                if (number % 10 == 0) {
                    summarize(store, tables);
                    damage(random, cloud.objects());
                }
                RandomQuery query = new RandomQuery(random, tables);
                String told = "seed=" + seed + " number=" + number + " " + query;
                if (random.nextInt(4) == 0) {
                    beside(store, sql, tables, query, h2, told);
                } else {
                    try (Connection connection = sql.connect()) {
                        compare(connection, query, h2, told);
                    }
                }
            }
        }
    }

    /** Changes after this make a part of the summaries old. */
    private static void summarize(Penstock store, RandomTables tables) {
        store.admin().checkpoint();
        for (RecordCollection<?, ?> collection : tables.collections()) {
            store.admin()
                    .summarize(
                            collection,
                            collection.fields().get("s"),
                            collection.fields().get("i"));
        }
    }

    /** Leaves an object with summaries as it is, flips a bit of it, cuts it off, or makes it one of a later version. */
    private static void damage(Random random, ObjectStore objects) {
        for (Listing.Entry entry : ObjectStores.listAll(objects, "penstock/summaries/")) {
            byte[] bytes = objects.get(entry.key()).orElseThrow().body().toArray();
            switch (random.nextInt(6)) {
                case 0 -> bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
                case 1 -> bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length));
                case 2 -> bytes[2] += 1;
                default -> {
                    continue;
                }
            }
            objects.put(entry.key(), Bytes.wrap(bytes), WriteCondition.ALWAYS);
        }
    }

    /** Runs a query in a transaction that began before others wrote. */
    private static void beside(
            Penstock store, PenstockSql sql, RandomTables tables, RandomQuery query, Connection h2, String told)
            throws SQLException {
        Runnable later;
        try (Transaction transaction = store.session().beginRead();
                Connection connection = sql.connect(transaction)) {
            for (String table : RandomTables.TABLES) {
                rows(connection, "select count(*) from " + table, List.of(), true);
            }
            later = tables.change(10);
            compare(connection, query, h2, told);
        }
        later.run();
    }

    private static void compare(Connection connection, RandomQuery query, Connection h2, String told) {

        assertThat(outcome(connection, query)).as(told).isEqualTo(outcome(h2, query));
    }

    /** The rows, or that the query fails. */
    private static Object outcome(Connection connection, RandomQuery query) {
        try {
            return rows(connection, query.sql(), query.parameters(), query.isOrdered());
        } catch (SQLException failure) {
            String state = String.valueOf(failure.getSQLState());
            return state.startsWith("22") ? "failed" : failure.toString();
        }
    }

    private static List<String> rows(Connection connection, String sql, List<Object> parameters, boolean ordered)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.size(); i++) {
                statement.setObject(i + 1, RandomTables.plain(parameters.get(i)));
            }
            List<String> found = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                int columns = rows.getMetaData().getColumnCount();
                while (rows.next()) {
                    StringBuilder row = new StringBuilder();
                    for (int i = 1; i <= columns; i++) {
                        row.append(i == 1 ? "" : "|").append(text(rows.getObject(i)));
                    }
                    found.add(row.toString());
                }
            }
            if (!ordered) {
                found.sort(null);
            }
            return found;
        }
    }

    private static String text(Object value) {
        return switch (value) {
            case null -> "null";
            case byte[] bytes -> HexFormat.of().formatHex(bytes);
            case Number number -> number(new BigDecimal(number.toString()));
            default -> value.toString();
        };
    }

    private static String number(BigDecimal number) {
        BigDecimal plain = number.round(new MathContext(30)).stripTrailingZeros();
        return plain.signum() == 0 ? "0" : plain.toPlainString();
    }
}
