package io.penstock.bench.kills;

import io.penstock.bench.tpcw.bookstore.Draws;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Processes that are killed and replaced by others. Victims and pauses are drawn from the seed; what a victim does at
 * that moment depends on the machine. For one thread.
 */
final class Victims implements AutoCloseable {
    private static final Duration PAUSE_MAX = Duration.ofMillis(2_000);

    /**
     * One of so many victims is killed at any moment, even while it starts; the others after they have begun to write.
     */
    private static final int AT_ONCE_EVERY = 8;

    private static final Duration START_MAX = Duration.ofMinutes(2);
    private static final Duration POLL = Duration.ofMillis(20);
    private static final Duration STOP_MAX = Duration.ofMinutes(3);

    private final Tasks tasks;
    private final long seed;
    private final IntFunction<WriterProcess> starter;
    private final List<String> violations;
    private final List<WriterProcess> running = new ArrayList<>();

    /**
     * @param starter starts a process, in a place from 0
     * @param violations where what processes do of themselves is added
     */
    Victims(Tasks tasks, long seed, IntFunction<WriterProcess> starter, List<String> violations) {
        this.tasks = tasks;
        this.seed = seed;
        this.starter = starter;
        this.violations = violations;
    }

    void start(int processes) {
        for (int slot = 0; slot < processes; slot++) {
            running.add(starter.apply(slot));
        }
    }

    /** @param kill its number, from 1 */
    void killOne(int kill) {
        Draws draws = Draws.of(seed, "kill", kill);
        int slot = draws.between(0, running.size() - 1);
        boolean atOnce = draws.between(1, AT_ONCE_EVERY) == 1;
        Duration pause = Duration.ofMillis(draws.between(0L, PAUSE_MAX.toMillis()));
        WriterProcess victim = running.get(slot);
        if (!atOnce) {
            awaitWriting(victim);
        }
        tasks.sleep(pause);
        if (!victim.isAlive()) {
            violations.add("writer " + victim.writer() + " ended by itself: " + victim.complaints());
        }
        victim.kill();
        running.set(slot, starter.apply(slot));
    }

    private void awaitWriting(WriterProcess victim) {
        long deadline = tasks.nanoTime() + START_MAX.toNanos();
        while (victim.isAlive() && !victim.isWriting()) {
            if (tasks.nanoTime() - deadline > 0) {
                violations.add("writer " + victim.writer() + " does not begin within " + START_MAX.toSeconds() + " s: "
                        + victim.complaints());
                return;
            }
            tasks.sleep(POLL);
        }
    }

    /** Has those that are left end in order, the first one last: others may need it. */
    void stop() {
        stop(running.subList(1, running.size()));
        stop(running.subList(0, 1));
    }

    private void stop(List<WriterProcess> writers) {
        writers.forEach(WriterProcess::tellToStop);
        for (WriterProcess writer : writers) {
            if (!writer.endsWithin(STOP_MAX)) {
                violations.add("writer " + writer.writer() + " did not end in order: " + writer.complaints());
            }
        }
    }

    /** Ends every process that is left. */
    @Override
    public void close() {
        running.forEach(WriterProcess::kill);
    }
}
