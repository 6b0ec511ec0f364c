package io.penstock.commit.engine;

import io.penstock.core.ConflictException;
import io.penstock.core.ErrorCode;
import io.penstock.core.task.Tasks;
import java.time.Duration;

/** The conflicts of one transaction that is run again and again. For one thread. */
public final class Retries {
    /** The maximum number of runs of a body without isolation, where conflicts are rare. */
    private static final int ATTEMPTS_MAX = 8;

    /** The longest pause. It does not grow: who has lost most must not come last. */
    private static final long PAUSE_MILLIS_MAX = 10;

    private final Tasks tasks;
    private final boolean isolated;
    private final long begunNanos;
    private final Duration budget;
    private final Tally tally;
    private int count;

    /** An observer of conflicts. */
    interface Tally {
        /** @param retried whether the transaction runs again; if not, its caller gets the conflict */
        void conflict(boolean retried);
    }

    /** @param budget the time after which an isolated transaction is not run again */
    Retries(Tasks tasks, boolean isolated, Duration budget, Tally tally) {
        this.tasks = tasks;
        this.isolated = isolated;
        this.begunNanos = tasks.nanoTime();
        this.budget = budget;
        this.tally = tally;
    }

    /** Conflicts so far. */
    public int count() {
        return count;
    }

    /** Returns the time at which the first try began, by {@link Tasks#nanoTime}. */
    public long begunNanos() {
        return begunNanos;
    }

    /** Waits before the next try, so that rivals do not meet in step again; throws the conflict when no try is left. */
    public void pause(ConflictException conflict) {
        count++;
        boolean again = conflict.code() == ErrorCode.CONFLICT && mayRepeat();
        tally.conflict(again);
        if (!again) {
            throw conflict;
        }
        if (!isolated) {
            return;
        }
        tasks.sleep(Duration.ofMillis(tasks.random().nextLong(PAUSE_MILLIS_MAX)));
    }

    private boolean mayRepeat() {
        return isolated ? tasks.nanoTime() - begunNanos < budget.toNanos() : count < ATTEMPTS_MAX;
    }
}
