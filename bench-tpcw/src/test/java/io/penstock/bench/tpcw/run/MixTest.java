package io.penstock.bench.tpcw.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.bench.tpcw.bookstore.Draws;
import io.penstock.bench.tpcw.bookstore.InteractionKind;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MixTest {
    private static final long SEED = 1;
    private static final int INTERACTIONS = 100_000;

    /** Transitions between two counted ones: neighbours depend on each other, and the test wants independent draws. */
    private static final int APART = 25;

    @ParameterizedTest
    @EnumSource
    void frequenciesMatchTheMix(Mix mix) {
        Draws draws = Draws.of(SEED, "mix " + mix, 0);
        Map<InteractionKind, Long> counts = new EnumMap<>(InteractionKind.class);
        InteractionKind kind = InteractionKind.HOME;
        for (int i = 0; i < INTERACTIONS; i++) {
            for (int step = 0; step < APART; step++) {
                kind = mix.next(kind, draws.between(1, Mix.DRAW_MAX));
            }
            counts.merge(kind, 1L, Long::sum);
        }
        double chiSquare = 0;
        for (InteractionKind each : InteractionKind.values()) {
            double expected = INTERACTIONS * mix.percent(each) / 100;
            double off = counts.getOrDefault(each, 0L) - expected;
            chiSquare += off * off / expected;
        }
        // The 99th percentile with 13 degrees of freedom.
        assertThat(chiSquare).as("seed=%d counts=%s", SEED, counts).isLessThan(27.69);
    }

    @ParameterizedTest
    @EnumSource
    void sharesAddUpAndEveryRowOfTheMatrixEndsAtTheLargestDraw(Mix mix) {
        double sum = 0;
        for (InteractionKind kind : InteractionKind.values()) {
            sum += mix.percent(kind);
            assertThat(mix.next(kind, 1)).isNotNull();
            assertThat(mix.next(kind, Mix.DRAW_MAX)).isNotNull();
        }
        assertThat(sum).isBetween(99.99, 100.01);
    }
}
