package io.penstock.commit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class ShrinkerTest {
    /** As if two machines and lost answers were all it takes. */
    @Test
    void whatDoesNotMatterIsLeftOut() {
        Scenario large = Cut.parse(Scenario.of(2), "machines=3,transactions=9,keys=20");
        Predicate<Scenario> fails = scenario -> scenario.size().machines() >= 2;
        Scenario least = Shrinker.shrink(large, fails);
        assertThat(fails.test(least)).isTrue();
        assertThat(least.size()).isEqualTo(new Scenario.Size(2, 1, 1, 1));
        assertThat(least.faults()).isEqualTo(Faults.NONE);
        // And it can be run again by its words.
        assertThat(Cut.parse(Scenario.of(2), String.join(",", least.cuts()))).isEqualTo(least);
    }
}
