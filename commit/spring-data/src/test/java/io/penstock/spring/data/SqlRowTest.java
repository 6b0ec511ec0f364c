package io.penstock.spring.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.Json;
import io.penstock.Keys;
import io.penstock.Penstock;
import io.penstock.Settings;
import io.penstock.query.Fields;
import io.penstock.sql.PenstockSql;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.LocalDate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rows have the times that records have, also those that the clocks of a machine's own time zone skip. */
class SqlRowTest {
    record Visit(Instant at, LocalDate day) {}

    /** The program of a zone: prints a visit as SQL reads it. */
    public static void main(String[] arguments) throws SQLException {
        Visit visit = new Visit(Instant.parse(arguments[0]), LocalDate.parse(arguments[0].substring(0, 10)));
        try (Penstock store = Penstock.open(Settings.inMemory())) {
            var visits = store.collection("visits", Keys.string(), Json.of(Visit.class))
                    .declare(Fields.ofClass(Visit.class));
            visits.put("1", visit);
            try (Connection connection = PenstockSql.of(store, visits).connect();
                    Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("select * from \"visits\"")) {
                boolean unused = rows.next();
                System.out.println("found " + SqlRow.of(rows).as(Visit.class));
            }
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({"Europe/Berlin, 2026-03-29T02:30:00Z", "America/Sao_Paulo, 2018-11-04T00:30:00Z"})
    void skippedTimesAreRead(String zone, String skipped) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Duser.timezone=" + zone,
                        "-cp",
                        System.getProperty("java.class.path"),
                        SqlRowTest.class.getName(),
                        skipped)
                .redirectErrorStream(true)
                .start();
        try (BufferedReader said = process.inputReader()) {
            assertThat(said.lines())
                    .contains("found " + new Visit(Instant.parse(skipped), LocalDate.parse(skipped.substring(0, 10))));
        }
        assertThat(process.waitFor()).isZero();
    }
}
