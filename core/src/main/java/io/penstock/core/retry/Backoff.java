package io.penstock.core.retry;

import io.penstock.core.UnavailableException;
import io.penstock.core.task.Tasks;
import java.time.Duration;

/** The attempts of one call: decides whether there is another, and waits until it is due. For one thread. */
public final class Backoff {
    private final RetryPolicy policy;
    private final Tasks tasks;
    private final long startNanos;
    private int attempts = 1;

    /** Starts with the first attempt. */
    public Backoff(RetryPolicy policy, Tasks tasks) {
        this.policy = policy;
        this.tasks = tasks;
        this.startNanos = tasks.nanoTime();
    }

    /** Waits for the next attempt; false at once when there is none, or when the thread was interrupted. */
    public boolean again() {
        if (attempts >= policy.attemptsMax()) {
            return false;
        }
        Duration delay = policy.delay(attempts, tasks.random());
        Duration spent = Duration.ofNanos(tasks.nanoTime() - startNanos);
        if (spent.plus(delay).compareTo(policy.budget()) > 0) {
            return false;
        }
        attempts++;
        try {
            tasks.sleep(delay);
            return true;
        } catch (UnavailableException interrupted) {
            return false;
        }
    }

    /** The number of attempts started. */
    public int attempts() {
        return attempts;
    }
}
