package io.penstock.commit.catalog;

import io.penstock.core.TreeId;
import io.penstock.core.task.Timekeeper;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The trees that the store was asked for in vain, for a while. Safe for use by many threads. */
final class UnknownTrees {
    /** The most that are remembered. */
    private static final int TREES_MAX = 1000;

    private final Timekeeper time;
    private final Duration life;

    /** When the store was asked, by {@link Timekeeper#nanoTime}. */
    private final Map<TreeId, Long> asked = new ConcurrentHashMap<>();

    /** @param life how long the store is not asked again */
    UnknownTrees(Timekeeper time, Duration life) {
        this.time = time;
        this.life = life;
    }

    boolean has(TreeId tree) {
        Long nanos = asked.get(tree);
        return nanos != null && time.nanoTime() - nanos < life.toNanos();
    }

    void note(TreeId tree, long nanos) {
        if (life.isPositive()) {
            if (asked.size() >= TREES_MAX) {
                asked.clear();
            }
            asked.put(tree, nanos);
        }
    }

    void clear() {
        asked.clear();
    }
}
