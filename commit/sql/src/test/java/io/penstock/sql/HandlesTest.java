package io.penstock.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.ConsistencyLevel;
import io.penstock.Json;
import io.penstock.Keys;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Settings;
import io.penstock.Transaction;
import io.penstock.core.ClosedException;
import io.penstock.query.Field;
import io.penstock.query.FieldType;
import io.penstock.query.Fields;
import java.sql.Connection;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Calendar;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.tools.RelBuilder;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Connections, statements and results, as programs hold them. */
class HandlesTest {
    private static final int MANY = 2000;

    private Penstock store;
    private RecordCollection<Long, Visit> visits;
    private PenstockSql sql;

    record Visit(LocalDate day, Instant at, int number) {}

    @BeforeEach
    void open() {
        store = Penstock.open(
                Settings.inMemory().level(ConsistencyLevel.SERIALIZABLE).pageBytes(4096));
        visits = store.collection("visits", Keys.longs(), Json.of(Visit.class))
                .declare(Fields.ofClass(Visit.class).and(Field.key("id", FieldType.LONG)));
        sql = PenstockSql.of(store, visits);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private void many() {
        boolean unused = store.transact(transaction -> {
            for (long id = 0; id < MANY; id++) {
                transaction.put(visits, id, new Visit(LocalDate.EPOCH, Instant.EPOCH, (int) id % 7));
            }
            return true;
        });
    }

    private static List<Long> ids(PreparedStatement statement) throws SQLException {
        List<Long> found = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                found.add(rows.getLong(1));
            }
        }
        return found;
    }

    private static void fails(String state, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        SQLException.class,
                        failure -> assertThat(failure.getSQLState()).isEqualTo(state));
    }

    /** A way to end a transaction. */
    private interface End {
        void run(Connection connection) throws SQLException;
    }

    @Test
    void aResultThatIsReadOnAfterItsTransactionFails() throws SQLException {
        many();
        Map<String, End> ends = Map.of(
                "commit", Connection::commit,
                "rollback", Connection::rollback,
                "setAutoCommit", connection -> connection.setAutoCommit(true));
        for (String query : List.of(
                "select id from visits",
                "select number, count(*) from visits group by number",
                "select a.id from visits a join visits b on a.id = b.id")) {
            for (Map.Entry<String, End> end : ends.entrySet()) {
                try (Connection connection = sql.connect();
                        Statement statement = connection.createStatement()) {
                    connection.setAutoCommit(false);
                    ResultSet rows = statement.executeQuery(query);
                    assertThat(rows.next()).isTrue();
                    end.getValue().run(connection);
                    for (int i = 0; i < 2; i++) {
                        assertThatThrownBy(rows::next)
                                .as(end.getKey() + " " + query)
                                .isInstanceOfSatisfying(
                                        SQLException.class,
                                        failure -> assertThat(failure.getSQLState())
                                                .isEqualTo("24000"));
                    }
                    // A result of the next transaction is whole.
                    assertThat(statement.executeQuery(query).next()).isTrue();
                }
            }
        }
    }

    @Test
    void aResultThatIsReadOnAfterItsConnectionFails() throws SQLException {
        many();
        try (Transaction transaction = store.begin()) {
            Connection connection = sql.connect(transaction);
            ResultSet rows = connection.createStatement().executeQuery("select id from visits");
            assertThat(rows.next()).isTrue();
            connection.close();
            assertThatThrownBy(rows::next).isInstanceOf(SQLException.class);
        }
    }

    @Test
    void aResultThatHasFailedDoesNotBeginAnew() throws SQLException {
        many();
        try (Connection connection = sql.connect();
                Statement statement = connection.createStatement()) {
            ResultSet rows = statement.executeQuery("select 1 / (id - 1000) from visits");
            fails("22012", () -> {
                while (rows.next()) {
                    rows.getLong(1);
                }
            });
            fails("24000", rows::next);
        }
    }

    @Test
    void resultsEndWithTheirTransaction() throws SQLException {
        try (Connection connection = sql.connect();
                Statement statement = connection.createStatement()) {
            assertThat(connection.getHoldability()).isEqualTo(ResultSet.CLOSE_CURSORS_AT_COMMIT);
            assertThat(statement.getResultSetHoldability()).isEqualTo(ResultSet.CLOSE_CURSORS_AT_COMMIT);
        }
    }

    private static RelNode all(RelBuilder tables) {
        return tables.scan("visits").project(tables.field("id")).build();
    }

    @Test
    void aQueryThatIsBuiltInJavaFailsAsOthers() throws SQLException {
        visits.put(1L, new Visit(LocalDate.EPOCH, Instant.EPOCH, 1));
        try (Transaction transaction = store.begin();
                Connection connection = sql.connect(transaction);
                PreparedStatement statement = sql.prepare(connection, HandlesTest::all)) {
            transaction.put(visits, 2L, new Visit(LocalDate.EPOCH, Instant.EPOCH, 1));
            assertThat(ids(statement)).containsExactly(1L, 2L);
            assertThat(statement.getConnection()).isSameAs(connection);
        }
        Connection connection = sql.connect();
        PreparedStatement statement = sql.prepare(connection, HandlesTest::all);
        store.close();
        assertThatThrownBy(statement::executeQuery)
                .hasMessageStartingWith("CLOSED: ")
                .hasCauseInstanceOf(ClosedException.class);
        fails("08003", statement::executeQuery);
    }

    @Test
    void statementsAndMetadataTellTheirConnection() throws SQLException {
        try (Connection connection = sql.connect();
                PreparedStatement statement = connection.prepareStatement("select id from visits")) {
            assertThat(statement.getConnection()).isSameAs(connection);
            assertThat(connection.getMetaData().getConnection()).isSameAs(connection);
        }
    }

    @Test
    void bindsDaysOfAllCalendars() throws SQLException {
        List<LocalDate> days = List.of(
                LocalDate.of(1, 1, 1),
                LocalDate.of(1500, 1, 1),
                LocalDate.of(1582, 10, 14),
                LocalDate.of(1582, 10, 15),
                LocalDate.of(2026, 1, 1),
                LocalDate.of(12_020, 1, 1));
        for (int i = 0; i < days.size(); i++) {
            visits.put(
                    (long) i,
                    new Visit(
                            days.get(i),
                            days.get(i).atTime(1, 2).toInstant(ZoneOffset.UTC).minusMillis(1),
                            i));
        }
        try (Connection connection = sql.connect();
                PreparedStatement byDay = connection.prepareStatement("select id from visits where \"day\" = ?");
                PreparedStatement byTime = connection.prepareStatement("select id from visits where \"at\" = ?");
                PreparedStatement before = connection.prepareStatement(
                        "select id from visits where \"day\" < cast(? as date) order by id")) {
            for (int i = 0; i < days.size(); i++) {
                LocalDateTime time = days.get(i).atTime(1, 1, 59, 999_000_000);
                byDay.setObject(1, days.get(i));
                assertThat(ids(byDay)).as("%s", days.get(i)).containsExactly((long) i);
                byTime.setObject(1, time);
                assertThat(ids(byTime)).as("%s", time).containsExactly((long) i);
                byTime.setObject(1, time.toInstant(ZoneOffset.UTC));
                assertThat(ids(byTime)).as("%s", time).containsExactly((long) i);
                before.setObject(1, days.get(i));
                assertThat(ids(before)).as("%s", days.get(i)).hasSize(i);
            }
            for (PreparedStatement statement : List.of(byDay, byTime)) {
                fails("22023", () -> {
                    statement.setObject(1, "no day");
                    ids(statement);
                });
            }
            fails("22023", () -> {
                byDay.setObject(1, LocalDate.MAX);
                ids(byDay);
            });
            fails("22003", () -> {
                byTime.setObject(1, Instant.MAX);
                ids(byTime);
            });
        }
    }

    /** The records that a condition with one parameter finds. */
    private List<Long> found(String where, Object value) throws SQLException {
        try (Connection connection = sql.connect();
                PreparedStatement statement = connection.prepareStatement("select id from visits where " + where)) {
            statement.setObject(1, value);
            return ids(statement);
        }
    }

    /** A day was taken for milliseconds, and a number for a day. */
    @Test
    void aParameterTakesNoValueOfAnotherType() throws SQLException {
        LocalDate day = LocalDate.of(2026, 1, 2);
        LocalDateTime time = day.atTime(3, 4);
        visits.put(1L, new Visit(day, time.toInstant(ZoneOffset.UTC), 1));
        Map<String, List<Object>> others = Map.of(
                "\"at\" >= ?", List.of(day, Date.valueOf(day), day.toEpochDay(), 1, "2026"),
                "\"day\" >= ?", List.of(time, Timestamp.valueOf(time), day.toEpochDay(), 1, "2026"),
                "id <= ?", List.of(day, Date.valueOf(day), time, Instant.EPOCH, Timestamp.valueOf(time)),
                "number <= ?", List.of(day, Date.valueOf(day)),
                "number <= cast(? as double)", List.of(day, Instant.EPOCH),
                "number <= cast(? as decimal)", List.of(day, Instant.EPOCH),
                "x'00' <= cast(? as varbinary)", List.of("00", 1),
                "time '01:00:00' <= cast(? as time)", List.of(LocalTime.NOON, 1L));
        others.forEach((where, values) -> values.forEach(value -> assertThatThrownBy(() -> found(where, value))
                .as("%s of %s", where, value.getClass())
                .isInstanceOfSatisfying(
                        SQLException.class,
                        failure -> assertThat(failure.getSQLState()).isEqualTo("22023"))
                .hasMessageContaining("bound=")
                .hasMessageNotContaining("\n")));
        assertThatThrownBy(() -> found("\"at\" >= ?", day)).hasMessageContaining("Instant or LocalDateTime");
        assertThat(found("x'00' <= cast(? as varbinary)", new byte[] {1})).hasSize(1);
    }

    @Test
    void bindsTimesOfJdbc() throws SQLException {
        LocalDate day = LocalDate.of(2026, 1, 2);
        LocalDateTime time = day.atTime(3, 4);
        visits.put(1L, new Visit(day, time.toInstant(ZoneOffset.UTC), 1));
        Timestamp stamp = Timestamp.valueOf(time);
        assertThat(found("\"day\" = ?", Date.valueOf(day))).hasSize(1);
        assertThat(found("\"at\" = ?", stamp)).hasSize(1);
        assertThat(found("\"at\" = ?", new java.util.Date(stamp.getTime()))).hasSize(1);
        Calendar tokyo = Calendar.getInstance(TimeZone.getTimeZone("Asia/Tokyo"));
        Instant there = time.atZone(tokyo.getTimeZone().toZoneId()).toInstant();
        try (Connection connection = sql.connect();
                PreparedStatement statement =
                        connection.prepareStatement("select id from visits where \"day\" = ? and \"at\" = ?")) {
            statement.setDate(1, Date.valueOf(day));
            statement.setTimestamp(2, stamp);
            assertThat(ids(statement)).hasSize(1);
            statement.setDate(1, new Date(there.toEpochMilli()), tokyo);
            statement.setTimestamp(2, Timestamp.from(there), tokyo);
            assertThat(ids(statement)).hasSize(1);
            statement.setObject(1, "2026-01-02", Types.DATE);
            statement.setObject(2, "2026-01-02 03:04:00", Types.TIMESTAMP);
            assertThat(ids(statement)).hasSize(1);
            statement.setDate(1, null);
            assertThat(ids(statement)).isEmpty();
        }
    }

    @Test
    void aStatementGivesNoMoreRowsThanItsMost() throws SQLException {
        many();
        try (Connection connection = sql.connect();
                PreparedStatement prepared = connection.prepareStatement("select id from visits");
                PreparedStatement built = sql.prepare(connection, HandlesTest::all);
                Statement statement = connection.createStatement()) {
            for (int most : new int[] {5, 7, 0, MANY + 1}) {
                int expected = most == 0 ? MANY : Math.min(most, MANY);
                prepared.setMaxRows(most);
                assertThat(ids(prepared)).hasSize(expected);
                built.setLargeMaxRows(most);
                assertThat(ids(built)).hasSize(expected);
                statement.setMaxRows(most);
                ResultSet rows = statement.executeQuery("select id from visits");
                for (int i = 0; i < expected; i++) {
                    assertThat(rows.next()).isTrue();
                }
                assertThat(rows.next()).isFalse();
            }
        }
    }

    @Test
    void numbersOfRowsAreWholeNumbersOfTheirRange() throws SQLException {
        many();
        String ordered = "select id from visits order by number ";
        for (String part :
                List.of("fetch next 5000000000 rows only", "offset 5000000000 rows", "limit 5000000000 offset 2")) {
            for (String query : List.of(
                    ordered + part, "select id from visits " + part, "select count(*) from (" + ordered + part + ")")) {
                assertThatThrownBy(() -> {
                            try (Connection connection = sql.connect();
                                    PreparedStatement statement = connection.prepareStatement(query)) {
                                ids(statement);
                            }
                        })
                        .as(query)
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                failure -> assertThat(failure.getSQLState()).isEqualTo("22023"))
                        .hasMessageContaining("5000000000")
                        .hasMessageNotContaining("\n");
            }
        }
        for (String part : List.of("fetch next ? rows only", "offset ? rows", "offset 1 rows fetch next ? rows only")) {
            for (String query : List.of(ordered + part, "select id from visits " + part)) {
                try (Connection connection = sql.connect();
                        PreparedStatement statement = connection.prepareStatement(query)) {
                    for (Long wrong : Arrays.asList(null, -1L, 5_000_000_000L)) {
                        statement.setObject(1, wrong);
                        fails("22023", () -> ids(statement));
                    }
                    statement.setInt(1, 3);
                    assertThat(ids(statement)).hasSize(part.endsWith("only") ? 3 : MANY - 3);
                }
            }
        }
    }
}
