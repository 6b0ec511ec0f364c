package io.penstock.bench.tpcw.run;

import io.penstock.Penstock;
import io.penstock.Settings;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.task.Tasks;
import java.time.Duration;

/**
 * One machine with a client on it.
 *
 * @param settings that lead to the servers
 * @param objects the object store, for what is no record
 * @param tasks its concurrency and its clock
 */
public record Machine(Settings settings, ObjectStore objects, Tasks tasks) {
    /** The machine that a visit runs on. */
    public static final String MAIN = "main";

    /** The prefix of a store that has its servers for itself. */
    static final String PREFIX = "tpcw";

    /** The rounds of checkpoints before a backlog is called stuck: with their pauses, more than any lease lasts. */
    private static final int ROUNDS_MAX = 16;

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    /** Makes a store of this machine apply what is pending; returns the backlog that is left, normally 0. */
    public long settle(Penstock store) {
        Duration pause = FIRST_PAUSE;
        for (int round = 0; round < ROUNDS_MAX; round++) {
            store.admin().recover();
            store.admin().checkpoint();
            if (store.admin().backlog().total() == 0) {
                return 0;
            }
            tasks.sleep(pause);
            pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
        }
        return store.admin().backlog().total();
    }
}
