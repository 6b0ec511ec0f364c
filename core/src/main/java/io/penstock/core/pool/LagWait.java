package io.penstock.core.pool;

import io.penstock.core.task.Tasks;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The patience of a caller with what others refer to already and what, where the object store's reads lag, may not show
 * yet. It was written before the reference, so a look shows it that begins a lag after the reference was followed.
 *
 * <p>The clock is the monotonic one: by that of pages' age a wall clock that steps would make a wait seem over that has
 * just begun. For one thread.
 */
public final class LagWait {
    /** Attempts within one lag. */
    private static final int PAUSES = 8;

    private final Tasks tasks;
    private final Duration lag;
    private long lookedNanos;
    private @Nullable Object missing;
    private long missedNanos;

    LagWait(Tasks tasks, Duration lag) {
        this.tasks = tasks;
        this.lag = lag;
        this.lookedNanos = tasks.nanoTime();
    }

    /** Takes note that a look begins. However long its answer takes, it may tell the state of this time. */
    public void look() {
        lookedNanos = tasks.nanoTime();
    }

    /**
     * Waits a little before the next look, since the last one has not found something.
     *
     * @param what others refer to. A reference to something else may be younger, so the wait begins anew
     * @return false when the last look should have found it
     */
    public boolean await(Object what) {
        if (lag.isZero()) {
            return false;
        }
        if (!what.equals(missing)) {
            missing = what;
            missedNanos = tasks.nanoTime();
        } else if (lookedNanos - missedNanos >= lag.toNanos()) {
            return false;
        }
        tasks.sleep(lag.dividedBy(PAUSES).plusMillis(1));
        return true;
    }
}
