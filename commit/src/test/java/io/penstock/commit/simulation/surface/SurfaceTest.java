package io.penstock.commit.simulation.surface;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Drawn programs over the public surface keep every promise, and call every method that they are said to call. */
class SurfaceTest {
    private static final int SEEDS = 100;
    private static final int SEEDS_WITH = 25;

    /** What is seldom together. */
    private static final Set<Feature> RARE = EnumSet.of(
            Feature.INDEX_MADE,
            Feature.BY_INDEX,
            Feature.COVERING,
            Feature.OUTSIDE,
            Feature.SCANS_OUTSIDE,
            Feature.FILL,
            Feature.MOVE,
            Feature.SEALED,
            Feature.REVIEW,
            Feature.VERSIONS,
            Feature.STATES,
            Feature.STREAMS,
            Feature.INSIDE);

    /** An index that comes and goes. */
    private static final Set<Feature> ADDED = EnumSet.of(Feature.INDEX_ADDED, Feature.DROP_INDEX);

    @Test
    void drawnProgramsKeepEveryPromise() {
        List<String> failures = new ArrayList<>();
        for (long seed = 1; seed <= SEEDS; seed++) {
            Drawn drawn = Drawn.of(seed, null, Set.of(), Set.of());
            SurfaceRun.run(drawn, false).broken.forEach(broken -> failures.add(drawn + ": " + broken));
        }
        assertThat(failures).isEmpty();
    }

    @Test
    void reviewsKeepEveryPromise() {
        assertThat(failures(Set.of(Feature.REVIEW, Feature.KILLS))).isEmpty();
    }

    @Test
    void editsAndWritesBesideScansKeepEveryPromise() {
        assertThat(failures(Set.of(Feature.VERSIONS, Feature.MEANWHILE))).isEmpty();
    }

    @Test
    void storesWithKeysKeepEveryPromise() {
        assertThat(failures(Set.of(Feature.ENCRYPTED, Feature.NEW_MASTER, Feature.SEALED, Feature.LACKS_KEY)))
                .isEmpty();
    }

    private static List<String> failures(Set<Feature> with) {
        List<String> failures = new ArrayList<>();
        for (long seed = 1; seed <= SEEDS_WITH; seed++) {
            Drawn drawn = Drawn.of(seed, null, Set.of(), with);
            SurfaceRun.run(drawn, false).broken.forEach(broken -> failures.add(drawn + ": " + broken));
        }
        return failures;
    }

    /** What is drawn apart was added later: the rest of a seed is as it was before. */
    @Test
    void whatIsDrawnApartChangesNothingElse() {
        EnumSet<Feature> apart = EnumSet.range(Feature.SEALED, Feature.LOG_APART);
        for (long seed = 1; seed <= SEEDS; seed++) {
            Drawn with = Drawn.of(seed, null, Set.of(), apart);
            Drawn without = Drawn.of(seed, null, apart, Set.of());
            EnumSet<Feature> left = EnumSet.copyOf(with.features());
            left.removeAll(apart);
            assertThat(with.with(left).toString()).isEqualTo(without.toString());
        }
    }

    @Test
    void everyMethodThatIsDeclaredIsCalled() {
        Set<String> missing = new TreeSet<>(Methods.drawn());
        for (long seed = 1; seed <= SEEDS && !missing.isEmpty(); seed++) {
            boolean added = seed % 4 == 1;
            Set<Feature> with = seed % 2 == 0 ? RARE : added ? ADDED : Set.of();
            Set<Feature> without = added ? Set.of(Feature.INDEX_MADE) : Set.of();
            Log log = SurfaceRun.run(Drawn.of(seed, null, without, with), false);
            missing.removeAll(log.calls.methods().keySet());
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void noOtherMethodIsCalled() {
        for (long seed = 1; seed <= 20; seed++) {
            Log log = SurfaceRun.run(Drawn.of(seed, null, Set.of(), Set.of()), false);
            assertThat(Methods.drawn())
                    .as("seed=" + seed)
                    .containsAll(log.calls.methods().keySet());
        }
    }

    @Test
    void aSeedIsOneStory() {
        for (long seed = 1; seed <= 10; seed++) {
            Drawn drawn = Drawn.of(seed, null, Set.of(), Set.of());
            Log once = SurfaceRun.run(drawn, false);
            Log again = SurfaceRun.run(drawn, false);
            assertThat(again.attempts.toString()).as("seed=" + seed).isEqualTo(once.attempts.toString());
            assertThat(again.story).as("seed=" + seed).isEqualTo(once.story);
        }
    }
}
