package io.penstock.bench.tpcw.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.bench.tpcw.bookstore.Draws;
import java.util.Arrays;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;

class BrowserDrawsTest {
    private static final long SEED = 1;
    private static final int DRAWS = 100_000;

    @Test
    void thinkTimesAreExponentialWithAMeanOf7SecondsAndCutAt70() {
        requireExponential(BrowserFarm::thinkNanos, 7, 70);
    }

    @Test
    void sessionsAreExponentialWithAMeanOf15MinutesAndCutAt60() {
        requireExponential(BrowserFarm::sessionNanos, 900, 3_600);
    }

    /** Kolmogorov and Smirnov, at p = 0.01: the largest distance is below 1.63 / sqrt(n). */
    private static void requireExponential(ToLongFunction<Draws> draw, double mean, double max) {
        Draws draws = Draws.of(SEED, "times", (long) mean);
        double[] seconds = new double[DRAWS];
        Arrays.setAll(seconds, i -> draw.applyAsLong(draws) / 1e9);
        Arrays.sort(seconds);
        assertThat(seconds[DRAWS - 1]).isLessThanOrEqualTo(max);
        double distance = 0;
        for (int i = 0; i < DRAWS && seconds[i] < max; i++) {
            double expected = 1 - Math.exp(-seconds[i] / mean);
            distance = Math.max(distance, Math.abs((i + 1.0) / DRAWS - expected));
        }
        assertThat(distance).as("seed=%d", SEED).isLessThan(1.63 / Math.sqrt(DRAWS));
    }

    @Test
    void zipfChoosesByRankAndReachesAllIds() {
        Draws draws = Draws.of(SEED, "zipf", 0);
        ItemChoice choice = ItemChoice.zipf(100, 1);
        long[] counts = new long[101];
        for (int i = 0; i < DRAWS; i++) {
            counts[(int) choice.draw(draws)]++;
        }
        Arrays.sort(counts, 1, 101);
        // Of 100 ids by 1 / rank, the first has 1 of 5.187 draws, the second half of that.
        assertThat(counts[100] / (double) DRAWS).as("seed=%d", SEED).isBetween(0.188, 0.198);
        assertThat(counts[99] / (double) DRAWS).isBetween(0.091, 0.101);
        assertThat(counts[1]).isPositive();
    }

    @Test
    void nonUniformDrawsStayInRange() {
        Draws draws = Draws.of(SEED, "nurand", 0);
        for (long ids : new long[] {1, 20, 1_000, 2_880}) {
            ItemChoice choice = ItemChoice.nonUniform(ids);
            for (int i = 0; i < 10_000; i++) {
                assertThat(choice.draw(draws)).isBetween(1L, ids);
            }
        }
    }
}
