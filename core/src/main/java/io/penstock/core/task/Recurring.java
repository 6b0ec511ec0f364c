package io.penstock.core.task;

import io.penstock.core.StoreException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Background work that is done again and again until it is stopped. Nothing that the work throws ends it: the failure
 * is logged and counted, and the work goes on after a pause. In a pause it has no thread: a process may have thousands
 * of stores open. Safe for use by many threads.
 */
public final class Recurring {
    private static final Logger LOG = LoggerFactory.getLogger(Recurring.class);

    private final Tasks tasks;
    private final String name;
    private final Duration afterFailure;
    private final Promise<Boolean> stopped;
    private final Promise<Boolean> ended;
    private final AtomicReference<State> state = new AtomicReference<>(State.NEW);
    private volatile @Nullable Supplier<Duration> work;
    private volatile Consumer<Throwable> observer = failure -> {};

    /**
     * @param name of the task, for logs
     * @param afterFailure the pause after a failure
     */
    public Recurring(Tasks tasks, String name, Duration afterFailure) {
        this.tasks = tasks;
        this.name = name;
        this.afterFailure = afterFailure;
        this.stopped = tasks.promise();
        this.ended = tasks.promise();
    }

    public String name() {
        return name;
    }

    private enum State {
        NEW,
        PAUSING,
        WORKING,
        ENDED
    }

    /**
     * Starts the work, the first time this is called.
     *
     * @param first the pause before the work is done first
     * @param work returns the pause before it is done again
     */
    public void start(Duration first, Supplier<Duration> work) {
        if (state.compareAndSet(State.NEW, State.PAUSING)) {
            this.work = work;
            goOnAfter(first);
        }
    }

    /** Starts the work, to be done each time after {@code pause}. */
    public void start(Duration pause, Runnable work) {
        start(pause, () -> {
            work.run();
            return pause;
        });
    }

    /** Leaves the next round to a task of its own. A stop that came during the last round has not ended the work. */
    private void goOnAfter(Duration pause) {
        if (stopped.isDone()) {
            end(State.PAUSING);
        } else {
            tasks.startAfter(pause, name, this::run);
        }
    }

    private void run() {
        for (Duration pause = round(); pause != null; pause = round()) {
            try {
                goOnAfter(pause);
                return;
            } catch (OutOfMemoryError full) {
                stopped.awaitFor(pause); // then this task goes on itself
            }
        }
    }

    /** Does the work, unless it was stopped; null when it is over. */
    private @Nullable Duration round() {
        Supplier<Duration> known = work;
        if (known == null || !state.compareAndSet(State.PAUSING, State.WORKING)) {
            return null;
        }
        Duration pause = null;
        try {
            pause = attempt(known);
            while (!pause.isPositive() && !stopped.isDone()) {
                pause = attempt(known);
            }
            return pause;
        } finally {
            if (pause == null) {
                end(State.WORKING); // the task was ended
            } else {
                state.set(State.PAUSING);
            }
        }
    }

    private void end(State before) {
        if (state.compareAndSet(before, State.ENDED)) {
            work = null; // a task that still waits for its time keeps no store in memory
            ended.complete(true);
        }
    }

    private Duration attempt(Supplier<Duration> work) {
        try {
            return work.get();
        } catch (TaskEnded end) {
            throw end;
        } catch (Throwable failure) { // an OutOfMemoryError too: others may need the memory less a moment later
            observer.accept(failure);
            report(failure);
            return afterFailure;
        }
    }

    /** Does a part of the work that runs as a task of its own: what it throws is logged and counted too. */
    public void attempt(Runnable part) {
        attempt(() -> {
            part.run();
            return Duration.ZERO;
        });
    }

    private void report(Throwable failure) {
        if (failure instanceof StoreException) {
            LOG.warn("background work failed and is tried again task={} why={}", name, failure.getMessage());
        } else {
            LOG.error("background work failed unexpectedly and is tried again task={}", name, failure);
        }
    }

    /** Sets who is told of each further failure, from the task that does the work. */
    public void onFailure(Consumer<Throwable> told) {
        observer = told;
    }

    /** Waits until the work is stopped, for {@code atMost}; true when it is. For work that pauses by itself. */
    public boolean isStoppedWithin(Duration atMost) {
        return stopped.awaitFor(atMost);
    }

    /** Stops the repetition: the work is not done again. */
    public void stop() {
        stopped.complete(true);
        end(State.PAUSING);
    }

    /**
     * Stops the repetition, and waits for the end of work under way, for {@code atMost}; false when it has not ended by
     * then.
     */
    public boolean stop(Duration atMost) {
        stop();
        return state.get() == State.NEW || ended.awaitFor(atMost);
    }
}
