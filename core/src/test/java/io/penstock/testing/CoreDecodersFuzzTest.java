package io.penstock.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random and damaged bytes for every decoder of the core; {@code scripts/fuzz} tries many more. */
class CoreDecodersFuzzTest {
    private static final long SEEDS = Long.getLong("seeds", 4000);

    static List<FuzzTarget> targets() {
        return CoreTargets.all();
    }

    @ParameterizedTest
    @MethodSource("targets")
    void refusesOrReads(FuzzTarget target) {
        Fuzzing.Outcome outcome = Fuzzing.run(target, Long.getLong("seed", 0), SEEDS);
        assertThat(outcome.taken()).as("taken for valid").isPositive();
    }
}
