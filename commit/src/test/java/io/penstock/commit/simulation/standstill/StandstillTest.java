package io.penstock.commit.simulation.standstill;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Machines that stand still for up to weeks in the middle of a chore change nothing of what is written. */
class StandstillTest {
    private static final int SEEDS = 150;

    @Test
    void whatIsWrittenStays() {
        List<String> broken = new ArrayList<>();
        for (long seed = 1; seed <= SEEDS; seed++) {
            broken.addAll(StandstillRun.run(seed).broken());
        }
        assertThat(broken).isEmpty();
    }

    @Test
    void aRunIsAFunctionOfItsSeed() {
        assertThat(StandstillRun.run(7).story()).isEqualTo(StandstillRun.run(7).story());
    }
}
