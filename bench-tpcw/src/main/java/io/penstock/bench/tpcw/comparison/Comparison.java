package io.penstock.bench.tpcw.comparison;

import io.penstock.ConsistencyLevel;
import io.penstock.bench.program.Progress;
import io.penstock.bench.tpcw.farm.Venue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The levels of one scenario, one after the other. Each has its own servers, and all have the same population and the
 * same purchases, so that they differ in nothing but the level.
 */
public final class Comparison {
    /** @param results one for each level, in the scenario's order */
    public record Outcome(Scenario scenario, List<LevelResult> results) {
        public boolean clean() {
            return results.stream().allMatch(LevelResult::clean);
        }
    }

    private Comparison() {}

    public static Outcome run(Scenario scenario, Venue venue, Progress progress) {
        long steps = scenario.population().rows() + scenario.load().transactions();
        List<LevelResult> results = new ArrayList<>();
        for (ConsistencyLevel level : scenario.levels()) {
            progress.begin(scenario.profile() + " " + scenario.layoutName() + " " + level, steps);
            String name = level.name().toLowerCase(Locale.ROOT);
            results.add(venue.visit(name, site -> new LevelRun(scenario, level, site, progress).run()));
        }
        progress.end();
        return new Outcome(scenario, List.copyOf(results));
    }
}
