package io.penstock.commit.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.ConsistencyLevel;
import io.penstock.core.InvalidRequestException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OptionsTest {
    @Test
    void whatIsNotSaidHasADefault() {
        Options options = Options.parse(List.of());
        assertThat(options.seeds()).isEqualTo(1_000);
        assertThat(options.from()).isZero();
        assertThat(options.scenario(7)).isEqualTo(Scenario.of(7));
    }

    @Test
    void collectionsAreCompressedOnDemand() {
        Options options = Options.parse(List.of("--seed", "7", "--compressed"));
        assertThat(options.scenario(7)).isEqualTo(Scenario.of(7).compressed());
    }

    @Test
    void aLevelAndAWorkloadReplaceTheDrawnOnes() {
        Options options = Options.parse(List.of("--seed", "7", "--level", "basic", "--workload", "hot-key"));
        Scenario scenario = options.scenario(options.from());
        assertThat(scenario.level()).isEqualTo(ConsistencyLevel.BASIC);
        assertThat(scenario.workload()).isEqualTo(Workload.HOT_KEY);
        assertThat(scenario.faults()).isEqualTo(Scenario.of(7).faults());
    }

    @Test
    void cutsAreAppliedInOrderAndRemembered() {
        Options options = Options.parse(List.of("--seed", "7", "--cut", "no-crashes,machines=1"));
        Scenario scenario = options.scenario(7);
        assertThat(scenario.faults().crashes()).isZero();
        assertThat(scenario.size().machines()).isEqualTo(1);
        assertThat(scenario.replay()).endsWith("cut=no-crashes,machines=1");
    }

    @Test
    void minutesAloneHaveNoEnd() {
        assertThat(Options.parse(List.of("--minutes", "5")).seeds()).isEqualTo(Long.MAX_VALUE);
    }

    @ParameterizedTest
    @CsvSource({
        "--sheds 5, unknown option --sheds",
        "--seeds, needs a value",
        "--seeds none, needs a whole number",
        "--seeds 0, at least 1",
        "--jobs 65, at most 64",
        "--minutes -1, needs a positive number",
        "--level best, needs one of NAIVE",
        "--workload none, needs one of REGISTER",
        "--trace, by --seed",
        "--elle file, by --seed",
    })
    void wrongCallsAreToldInOneLine(String line, String words) {
        assertThatThrownBy(() -> Options.parse(List.of(line.split(" "))))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining(words)
                .hasMessageNotContaining("\n");
    }

    @Test
    void aCutThatIsNoneIsRefused() {
        assertThatThrownBy(() -> Cut.parse(Scenario.of(1), "no-luck"))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("no such cut");
    }

    private static List<Object> figures(Scenario s) {
        return List.of(
                s.size(),
                s.faults(),
                s.shape(),
                s.wardens(),
                s.perils(),
                new GarbageCollectorActor(s).isThere,
                ClonedClients.areIn(s),
                Damage.isIn(s),
                ClientDamage.isIn(s),
                EarlyClose.isIn(s),
                s.mixesLevels(),
                s.hasEpisode());
    }

    @Test
    void everyCutMakesAScenarioSmaller() {
        for (long seed = 0; seed < 100; seed++) {
            Scenario scenario = Scenario.of(seed);
            assertThat(Cut.smaller(scenario)).isNotEmpty().allSatisfy(cut -> {
                assertThat(cut.cuts()).hasSize(1);
                assertThat(figures(cut)).isNotEqualTo(figures(scenario));
            });
        }
    }

    /** A fault that never comes, or always, shows nothing. */
    @Test
    void faultsAreOnInSomeSeedsOnly() {
        int crashing = 0;
        int skewed = 0;
        int freezing = 0;
        for (long seed = 0; seed < 400; seed++) {
            Faults faults = Scenario.of(seed).faults();
            crashing += faults.crashes() > 0 ? 1 : 0;
            skewed += faults.skew().compareTo(Duration.ZERO) > 0 ? 1 : 0;
            freezing += faults.freezes() > 0 ? 1 : 0;
        }
        assertThat(List.of(crashing, skewed, freezing)).allMatch(count -> count > 20 && count < 380);
    }

    @Test
    void everyLevelIsDrawn() {
        Set<ConsistencyLevel> drawn = new HashSet<>(Draw.LEVELS);
        for (long seed = Draw.ISOLATED_FROM; seed < Draw.ISOLATED_FROM + 10; seed++) {
            drawn.add(Scenario.of(seed).level());
        }
        assertThat(drawn).contains(ConsistencyLevel.values());
    }
}
