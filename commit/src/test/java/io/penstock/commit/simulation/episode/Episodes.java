package io.penstock.commit.simulation.episode;

import io.penstock.ConsistencyLevel;
import io.penstock.testkit.CallWatcher;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;

/** The draw of episodes: one seed in a few has one, drawn apart from all else. */
public final class Episodes {
    /** One seed in so many has an episode. */
    private static final int EVERY = 80;

    private static final List<Episode> ALL =
            List.of(new ManyDead(), new ClosingTogether(), new FoundQueues(), new DeepQueue(), new LocalRestarts());

    private Episodes() {}

    private static SplittableRandom random(long seed) {
        return new SplittableRandom(seed * 86_028_121 + 7);
    }

    private static Optional<Episode> drawn(SplittableRandom random) {
        return random.nextInt(EVERY) > 0 ? Optional.empty() : Optional.of(ALL.get(random.nextInt(ALL.size())));
    }

    /** Whether a seed has an episode. */
    public static boolean isThere(long seed) {
        return drawn(random(seed)).isPresent();
    }

    /**
     * Plays the episode of a seed, if it has one.
     *
     * @param watcher sees all calls
     * @param alarm takes the name of a promise and how it was broken
     */
    public static void play(long seed, ConsistencyLevel level, CallWatcher watcher, BiConsumer<String, String> alarm) {
        SplittableRandom random = random(seed);
        drawn(random).ifPresent(episode -> {
            Stage stage = new Stage(seed, level, random, watcher);
            stage.run(() -> episode.play(stage)).forEach(detail -> alarm.accept(episode.promise(), detail));
        });
    }
}
