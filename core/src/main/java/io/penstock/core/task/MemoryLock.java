package io.penstock.core.task;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A lock that guards memory, where threads do not wait for ever for one that cannot run. Safe for use by many threads.
 *
 * <p>A lock of the JDK that comes free wakes the first in its line, and the others wait for that one. If it is a
 * virtual thread, and callers that keep their carriers wait for it, it never runs. So those in line look again from
 * time to time: who finds the lock free takes it.
 */
public final class MemoryLock extends ReentrantLock {
    private static final long serialVersionUID = 1;
    private static final long LOOK_AGAIN_MILLIS = 5;

    @Override
    public void lock() {
        boolean interrupted = false;
        while (!tryLock()) {
            try {
                if (tryLock(LOOK_AGAIN_MILLIS, TimeUnit.MILLISECONDS)) {
                    break;
                }
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Runs {@code body} under the lock, and returns its result. */
    public <T extends @Nullable Object> T with(Supplier<T> body) {
        lock();
        try {
            return body.get();
        } finally {
            unlock();
        }
    }

    /** Runs {@code body} under the lock. */
    public void run(Runnable body) {
        lock();
        try {
            body.run();
        } finally {
            unlock();
        }
    }
}
