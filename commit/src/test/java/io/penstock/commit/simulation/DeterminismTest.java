package io.penstock.commit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.commit.simulation.promise.Promises;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A run is a pure function of its seed: the same calls at the same virtual times, with the same answers. */
class DeterminismTest {
    private static final int QUICK = 20;
    private static final int MANY = 200;

    private static List<String> story(Scenario scenario) {
        SimulatedRun.Result result = SimulatedRun.run(scenario, Promises.of(scenario), true);
        List<String> story = new ArrayList<>(result.story());
        result.history().transactions().forEach(transaction -> story.add(transaction.toString()));
        story.add(result.virtualNanos() + " " + result.wakeups() + " " + result.broken());
        return story;
    }

    private static void assertOneStoryForEachSeed(int from, int to) {
        Set<List<String>> stories = new HashSet<>();
        for (long seed = from; seed < to; seed++) {
            Scenario scenario = Scenario.of(seed);
            List<String> first = story(scenario);
            assertThat(story(scenario)).as(scenario.replay()).isEqualTo(first);
            stories.add(first);
        }
        assertThat(stories).as("seeds differ").hasSize(to - from);
    }

    @Test
    void aSeedIsOneStoryCallByCall() {
        assertOneStoryForEachSeed(0, QUICK);
    }

    @Test
    @Tag("long")
    void manySeedsAreOneStoryEach() {
        assertOneStoryForEachSeed(QUICK, MANY);
    }

    /** Telling the story of a run must not change the run. */
    @Test
    void aStoryThatIsNotToldIsTheSame() {
        for (long seed = 0; seed < QUICK; seed++) {
            Scenario scenario = Scenario.of(seed);
            SimulatedRun.Result told = SimulatedRun.run(scenario, Promises.of(scenario), true);
            SimulatedRun.Result untold = SimulatedRun.run(scenario);
            assertThat(untold.wakeups()).isEqualTo(told.wakeups());
            assertThat(untold.virtualNanos()).isEqualTo(told.virtualNanos());
            assertThat(untold.story()).isEmpty();
        }
    }
}
