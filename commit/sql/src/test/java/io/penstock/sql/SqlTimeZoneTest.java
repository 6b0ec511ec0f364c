package io.penstock.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.Json;
import io.penstock.Keys;
import io.penstock.Penstock;
import io.penstock.Settings;
import io.penstock.query.Field;
import io.penstock.query.FieldType;
import io.penstock.query.Fields;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Times of day that the clocks of a machine's own time zone skip: SQL finds the records of them, and of no other. */
class SqlTimeZoneTest {
    record Visit(Instant at, LocalDate day) {}

    /** The program of a zone: prints which records it finds by a time in UTC, given as an instant, a time and a day. */
    public static void main(String[] arguments) throws SQLException {
        LocalDateTime time = LocalDateTime.parse(arguments[0]);
        Instant at = time.toInstant(ZoneOffset.UTC);
        try (Penstock store = Penstock.open(Settings.inMemory())) {
            var visits = store.collection("visits", Keys.string(), Json.of(Visit.class))
                    .declare(Fields.ofClass(Visit.class).and(Field.key("id", FieldType.STRING)));
            for (int hours : new int[] {-1, 0, 1}) {
                visits.put(
                        "at" + hours,
                        new Visit(
                                at.plusSeconds(3600L * hours),
                                time.toLocalDate().plusDays(hours)));
            }
            try (Connection connection = PenstockSql.of(store, visits).connect()) {
                System.out.println("found " + found(connection, "\"at\" = ?", at)
                        + found(connection, "\"at\" = ?", time)
                        + found(connection, "\"day\" = ?", time.toLocalDate()));
            }
        }
    }

    private static List<String> found(Connection connection, String where, Object value) throws SQLException {
        List<String> found = new ArrayList<>();
        try (PreparedStatement statement =
                connection.prepareStatement("select \"id\" from \"visits\" where " + where)) {
            statement.setObject(1, value);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    found.add(rows.getString(1));
                }
            }
        }
        return found;
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({"Europe/Berlin, 2026-03-29T02:30:00", "America/Sao_Paulo, 2018-11-04T00:30:00"})
    void findsSkippedTimes(String zone, String skipped) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Duser.timezone=" + zone,
                        "-cp",
                        System.getProperty("java.class.path"),
                        SqlTimeZoneTest.class.getName(),
                        skipped)
                .redirectErrorStream(true)
                .start();
        try (BufferedReader said = process.inputReader()) {
            assertThat(said.lines()).contains("found [at0][at0][at0]");
        }
        assertThat(process.waitFor()).isZero();
    }
}
