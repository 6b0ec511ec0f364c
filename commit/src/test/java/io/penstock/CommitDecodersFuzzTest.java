package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.testing.FuzzTarget;
import io.penstock.testing.Fuzzing;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random and damaged bytes for every decoder of this module; {@code scripts/fuzz} tries many more. */
class CommitDecodersFuzzTest {
    private static final long SEEDS = Long.getLong("seeds", 4000);

    static List<FuzzTarget> targets() {
        return CommitTargets.all();
    }

    @ParameterizedTest
    @MethodSource("targets")
    void refusesOrReads(FuzzTarget target) {
        Fuzzing.Outcome outcome = Fuzzing.run(target, Long.getLong("seed", 0), SEEDS);
        assertThat(outcome.taken()).as("taken for valid").isPositive();
    }
}
