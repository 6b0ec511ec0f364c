package io.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.report.Backlog;
import io.penstock.report.LogStats;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StoreLookTest {
    private static StoreLook look(long seconds, long messages, LogStats... logs) {
        Backlog backlog = new Backlog(messages, 1, 2, Optional.of(Duration.ofSeconds(9)));
        return new StoreLook(
                seconds * 1_000_000_000,
                backlog,
                List.of(logs),
                Map.of("alive", 3L),
                4,
                seconds * 2.5,
                seconds / 3600.0);
    }

    private static LogStats log(String domain, long last, long horizon) {
        return new LogStats(domain, last, 0, last, horizon, 0, 777, Optional.of(Duration.ofSeconds(5)));
    }

    @Test
    void ratesAreOfTheTimeBetweenTwoLooks() {
        StoreLook first = look(10, 100, log("main", 50, 40));
        StoreLook.Rates rates =
                look(14, 60, log("main", 70, 60), log("new", 5, 0)).since(first);
        assertThat(rates.lines())
                .extracting(line -> line.replaceAll(" +", " "))
                .containsExactly(
                        "backlog messages 60 (-10.0/s) atomic 1 segments 2 oldest 9 s quarantine 4",
                        "clients alive 3",
                        "this view requests 2.5/s $1.000000/h",
                        "domain segments/s applied/s tail tail bytes age",
                        "main 5.0 5.0 10 777 5 s",
                        "new 0.0 0.0 5 777 5 s");
    }
}
