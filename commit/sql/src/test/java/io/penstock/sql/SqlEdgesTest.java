package io.penstock.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.Json;
import io.penstock.Keys;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Settings;
import io.penstock.query.Field;
import io.penstock.query.FieldType;
import io.penstock.query.Fields;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlLibraryOperators;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The least and greatest numbers, text of another case, and counts of a kind of their own. */
class SqlEdgesTest {
    private Penstock store;
    private RecordCollection<String, Gauge> gauges;
    private PenstockSql sql;

    record Gauge(String place, double level, long count, int step) {}

    @BeforeEach
    void open() {
        store = Penstock.open(Settings.inMemory());
        gauges = store.collection("gauges", Keys.string(), Json.of(Gauge.class))
                .declare(Fields.ofClass(Gauge.class).and(Field.key("id", FieldType.STRING)));
        gauges.put("1", new Gauge("weir", 1.5, Long.MAX_VALUE, 3));
        gauges.put("2", new Gauge("Weir", Double.NaN, Long.MAX_VALUE, 3));
        gauges.put("3", new Gauge("lock", Double.NEGATIVE_INFINITY, 7, 4));
        gauges.put("4", new Gauge("Lock", Double.POSITIVE_INFINITY, -7, -4));
        sql = PenstockSql.of(store, gauges);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private List<String> rows(String query) throws SQLException {
        try (Connection connection = sql.connect();
                PreparedStatement statement = connection.prepareStatement(query)) {
            return first(statement);
        }
    }

    private static List<String> first(PreparedStatement statement) throws SQLException {
        List<String> found = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                found.add(rows.getString(1));
            }
        }
        return found;
    }

    private List<String> placesThatAre(SqlOperator like, String pattern) throws SQLException {
        try (Connection connection = sql.connect();
                PreparedStatement statement = sql.prepare(
                        connection,
                        tables -> tables.scan("gauges")
                                .filter(tables.call(like, tables.field("place"), tables.literal(pattern)))
                                .project(tables.field("place"))
                                .build())) {
            return first(statement);
        }
    }

    @Test
    void aPlanMayIgnoreTheCaseOfText() throws SQLException {
        assertThat(placesThatAre(SqlLibraryOperators.ILIKE, "W%")).containsExactlyInAnyOrder("weir", "Weir");
        assertThat(placesThatAre(SqlLibraryOperators.NOT_ILIKE, "W%")).containsExactlyInAnyOrder("lock", "Lock");
        assertThat(placesThatAre(SqlStdOperatorTable.LIKE, "W%")).containsExactly("Weir");
        assertThat(placesThatAre(SqlStdOperatorTable.NOT_LIKE, "W%")).containsExactlyInAnyOrder("weir", "lock", "Lock");
    }

    @Test
    void countsWithinDistinctValues() throws SQLException {
        assertThat(rows("select count(*) within distinct (step) from gauges")).containsExactly("3");
        assertThat(rows("select count(step) within distinct (step) from gauges"))
                .containsExactly("3");
    }

    @Test
    void quotientsKeepTheirDigits() throws SQLException {
        String quotient = rows("select sum(step + 1.0) / (sum(step + 1.0) * 30000000) from gauges")
                .getFirst();
        assertThat(new BigDecimal(quotient))
                .isBetween(new BigDecimal("3.333333333333333e-8"), new BigDecimal("3.34e-8"));
        assertThat(new BigDecimal(rows("select count(*) / 3000000000.0 from gauges")
                                .getFirst())
                        .precision())
                .isGreaterThan(14);
    }

    @Test
    void ordersNumbersThatAreNoneLast() throws SQLException {
        assertThat(rows("select level from gauges order by level"))
                .containsExactly("-Infinity", "1.5", "Infinity", "NaN");
        assertThat(rows("select level from gauges order by level desc"))
                .containsExactly("NaN", "Infinity", "1.5", "-Infinity");
        assertThat(rows("select id from gauges order by cast(level as real)")).containsExactly("3", "1", "4", "2");
        assertThat(rows("select id from gauges order by level")).containsExactly("3", "1", "4", "2");
        assertThat(rows("select id from gauges order by level + 1 desc")).containsExactly("2", "4", "1", "3");
        assertThat(rows("select id from gauges order by level desc fetch next 2 rows only"))
                .containsExactly("2", "4");
        assertThat(rows("select id from gauges order by level + 1 offset 1 rows fetch next 2 rows only"))
                .containsExactly("1", "4");
        assertThat(rows("select id from gauges order by nullif(level, 1.5) nulls first"))
                .containsExactly("1", "3", "4", "2");
        assertThat(rows("select id from gauges order by nullif(level, 1.5) desc nulls last"))
                .containsExactly("2", "4", "3", "1");
        assertThat(rows("select a.level from (select level from gauges order by id fetch next 3 rows only) a"
                        + " join gauges b on a.level <> b.step order by a.level desc, b.id fetch next 1 rows only"))
                .containsExactly("NaN");
    }

    @Test
    void aNumberThatIsNoneEqualsItselfButNoParameter() throws SQLException {
        String twice = "select a.id from gauges a join gauges b on a.level = b.level where a.id = '2'";
        assertThat(rows(twice)).containsExactly("2");
        assertThat(rows("select id from gauges where id = '2' and level in (select level from gauges)"))
                .containsExactly("2");
        gauges.put("5", new Gauge("sluice", Double.NaN, 0, 0));
        assertThat(rows("select count(*) from gauges group by level")).containsExactlyInAnyOrder("1", "2", "1", "1");
        try (Connection connection = sql.connect();
                PreparedStatement statement =
                        connection.prepareStatement("select id from gauges where level = ? or level > ?")) {
            statement.setDouble(1, Double.NaN);
            statement.setDouble(2, 1e300);
            assertThat(first(statement)).containsExactly("4");
        }
    }

    @Test
    void sumsOverWindowsDoNotOverflow() throws SQLException {
        String most = "18446744073709551614";
        assertThat(rows("select sum(\"count\") over () from gauges"))
                .containsOnly(most)
                .hasSize(4);
        assertThat(rows("select sum(\"count\") over (partition by step order by id) from gauges order by id"))
                .containsExactly("9223372036854775807", most, "7", "-7");
        // A quotient has 16 digits.
        assertThat(rows("select avg(\"count\") over (partition by step) from gauges order by id"))
                .containsExactly("9223372036854776000", "9223372036854776000", "7", "-7");
        assertThat(rows("select sum(step) over () from gauges")).containsOnly("6");
    }

    @Test
    void theLeastNumberHasNoAmount() throws SQLException {
        assertThat(rows("select abs(\"count\") from gauges where id > '2' order by id"))
                .containsExactly("7", "7");
        assertThat(rows("select abs(step) from gauges order by id")).containsExactly("3", "3", "4", "4");
        assertThat(rows("select abs(level) from gauges where id = '3'")).containsExactly("Infinity");
        assertThat(rows("select place from gauges where step in (select abs(step) from gauges) and id > '2'"))
                .containsExactly("lock");
        gauges.put("5", new Gauge("least", 0, Long.MIN_VALUE, Integer.MIN_VALUE));
        for (String column : List.of("\"count\"", "step")) {
            assertThatThrownBy(() -> rows("select abs(" + column + ") from gauges"))
                    .as(column)
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            failure -> assertThat(failure.getSQLState()).isEqualTo("22003"));
        }
    }

    /** SQL rounds instants, so that several keys are one value: a plan that took them for unique was wrong. */
    @Test
    void keysThatAreRoundedAreNotUnique() throws SQLException {
        RecordCollection<Instant, Gauge> readings = store.collection("readings", Keys.instants(), Json.of(Gauge.class))
                .declare(Fields.ofClass(Gauge.class).and(Field.key("moment", FieldType.INSTANT)));
        Instant moment = Instant.parse("2026-01-01T00:00:00.123Z");
        for (int i = 1; i <= 3; i++) {
            readings.put(moment.plusNanos(i), new Gauge("weir", i, i, i));
        }
        sql = PenstockSql.of(store, gauges, readings);
        assertThat(rows("select distinct moment from readings")).hasSize(1);
        assertThat(rows("select count(*) from readings group by moment")).containsExactly("3");
        assertThat(rows("select step from readings where moment in (select moment from readings)"))
                .containsExactlyInAnyOrder("1", "2", "3");
        assertThatThrownBy(() -> rows(
                        "select (select step from readings r where r.moment = readings.moment)" + " from readings"))
                .isInstanceOf(SQLException.class);
    }

    record Level(@Nullable Integer height, int d) {}

    private void levels() {
        RecordCollection<Long, Level> levels = store.collection("levels", Keys.longs(), Json.of(Level.class))
                .declare(Fields.ofClass(Level.class).and(Field.key("id", FieldType.LONG)));
        levels.put(1L, new Level(null, 1));
        levels.put(2L, new Level(5, 0));
        levels.put(3L, new Level(-5, 1));
        sql = PenstockSql.of(store, levels);
    }

    /** Calcite leaves out that a column is not null where it is cast to a type without null: then null was 0. */
    @Test
    void nullIsNotZero() throws SQLException {
        levels();
        for (String height : List.of(
                "coalesce(height, 4)",
                "case when height is null then 4 else height end",
                "case when height is not null then height else 4 end")) {
            String low = height + " <= 0";
            assertThat(rows("select id from levels where " + low)).as(low).containsExactly("3");
            assertThat(rows("select id from levels where not (" + height + " > 0)"))
                    .as(low)
                    .containsExactly("3");
            assertThat(rows("select count(*) filter (where " + low + ") from levels"))
                    .as(low)
                    .containsExactly("1");
            assertThat(rows("select count(*) from levels group by height having " + low))
                    .as(low)
                    .containsExactly("1");
            assertThat(rows("select a.id from levels a join (select * from levels where " + low + ") b on a.id = b.id"))
                    .as(low)
                    .containsExactly("3");
            assertThat(rows("select id from levels where id in (select id from levels where " + low + ")"))
                    .as(low)
                    .containsExactly("3");
            assertThat(rows("select case when " + low + " then 'low' else 'high' end from levels order by id"))
                    .as(low)
                    .containsExactly("high", "high", "low");
        }
    }

    @Test
    void aPlanWithAnotherValueForNullIsExactToo() throws SQLException {
        levels();
        try (Connection connection = sql.connect();
                PreparedStatement statement = sql.prepare(connection, tables -> {
                    tables.scan("levels");
                    RexNode height = tables.field("height");
                    RexNode other = tables.call(
                            SqlStdOperatorTable.CASE,
                            tables.isNotNull(height),
                            tables.getRexBuilder().makeNotNull(height),
                            tables.literal(4));
                    return tables.filter(tables.lessThanOrEqual(other, tables.literal(0)))
                            .project(tables.field("id"))
                            .build();
                })) {
            assertThat(first(statement)).containsExactly("3");
        }
    }

    /** Calcite takes a column of the outer table that is named d for one of its own. */
    @Test
    void refusesTheQuantifiersThatCalciteGetsWrong() throws SQLException {
        levels();
        for (String wrong : List.of("<> any", "<> some", "= all")) {
            String where = "height " + wrong + " (select height from levels)";
            for (String query : List.of(
                    "select id from levels where " + where,
                    "select " + where + " from levels",
                    "select id from levels where id in (select id from levels where not (" + where + "))")) {
                assertThatThrownBy(() -> rows(query))
                        .as(query)
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                failure -> assertThat(failure.getSQLState()).isEqualTo("0A000"))
                        .hasMessageContaining("<> any")
                        .hasMessageNotContaining("\n");
            }
        }
        String heights = "(select height from levels where height is not null)";
        assertThat(rows("select id from levels where height > any " + heights)).containsExactly("2");
        assertThat(rows("select id from levels where height >= all " + heights)).containsExactly("2");
        assertThat(rows("select id from levels where height = any " + heights + " order by id"))
                .containsExactly("2", "3");
        assertThat(rows("select id from levels where height <> all (select height from levels where id = 3)"))
                .containsExactly("2");
    }
}
