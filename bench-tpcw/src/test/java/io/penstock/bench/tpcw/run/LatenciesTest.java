package io.penstock.bench.tpcw.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class LatenciesTest {
    private static final long SECOND = 1_000_000_000;

    @Test
    void percentilesAreNearestRanks() {
        List<Long> nanos =
                LongStream.rangeClosed(1, 200).mapToObj(i -> (201 - i) * SECOND).toList();
        assertThat(Latencies.of(nanos)).isEqualTo(new Latencies(100.5, 200, 100, 180, 198));
        assertThat(Latencies.of(List.of(2 * SECOND))).isEqualTo(new Latencies(2, 2, 2, 2, 2));
        assertThat(Latencies.of(List.of())).isEqualTo(new Latencies(0, 0, 0, 0, 0));
    }
}
