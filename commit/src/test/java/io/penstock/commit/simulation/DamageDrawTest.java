package io.penstock.commit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.commit.simulation.promise.Promises;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each kind of damage happens in some seeds, also while the draw changes around it. */
class DamageDrawTest {
    private static final int SEEDS = 4_000;
    private static final Pattern STRIKE = Pattern.compile("\\*\\*\\* (LOSS|DAMAGE) of penstock/(\\w+)/");

    @Test
    @Tag("slow")
    void everyKindIsDrawn() {
        Set<String> drawn = new TreeSet<>();
        for (long from : new long[] {0, Draw.ISOLATED_FROM}) {
            LongStream.range(from, from + SEEDS)
                    .mapToObj(Scenario::of)
                    .filter(Damage::isIn)
                    .flatMap(DamageDrawTest::strikes)
                    .forEach(drawn::add);
        }
        assertThat(drawn)
                .contains(
                        "DAMAGE pages",
                        "LOSS pages",
                        "DAMAGE catalog",
                        "LOSS catalog",
                        "DAMAGE overflow",
                        "LOSS overflow",
                        "DAMAGE log");
    }

    private static Stream<String> strikes(Scenario scenario) {
        return SimulatedRun.run(scenario, Promises.of(scenario), true).story().stream()
                .map(STRIKE::matcher)
                .filter(Matcher::find)
                .map(found -> found.group(1) + " " + found.group(2));
    }
}
